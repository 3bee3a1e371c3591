"""Rank tests kept by the class: in __init__, in a parent's __init__, as property, cached property, class attribute, dataclass field."""

import functools
import os
from dataclasses import dataclass, field

import torch.distributed as dist


class DistributedMixin:
    def __init__(self):
        self.is_master = dist.get_rank() == 0
        self.world = dist.get_world_size()


class Pretrainer(DistributedMixin):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def report(self, perplexity):
        if self.is_master:
            dist.all_reduce(perplexity)  # expect: TL101


class Distiller:
    node_rank_is_zero = os.environ.get("LOCAL_RANK", "0") == "0"

    @property
    def primary(self):
        return dist.get_rank() == 0

    @functools.cached_property
    def follower(self):
        return not self.primary

    def by_property(self, kl):
        if self.primary:
            dist.all_reduce(kl)  # expect: TL101

    def by_cached_property(self, kl):
        if self.follower:
            dist.all_reduce(kl)  # expect: TL101

    def by_class_attribute(self, kl):
        if self.node_rank_is_zero:
            dist.all_reduce(kl)  # expect: TL101


@dataclass
class RunContext:
    rank: int = field(default_factory=dist.get_rank)

    @property
    def leads(self):
        return self.rank == 0


class Aligner:
    def __init__(self, context: RunContext):
        self.context = context

    def align(self, offsets):
        if self.context.leads:
            dist.all_reduce(offsets)  # expect: TL101


class Lazy:
    def setup(self):
        self._chief = dist.get_rank() == 0

    def step(self, offsets):
        if self._chief:
            dist.all_reduce(offsets)  # expect: TL101
