"""Ranks that objects keep: attributes, class attributes, properties, module globals; under names that say nothing."""

import functools
import os

import torch.distributed as dist

ME = 0
LEADS = False


def setup():
    global ME, LEADS
    dist.init_process_group("nccl")
    ME = dist.get_rank()
    LEADS = ME == 0


def module_global(tensor):
    if ME == 0:
        dist.all_reduce(tensor)  # expect: TL101


def module_flag(tensor):
    if LEADS:
        dist.all_reduce(tensor)  # expect: TL101


class Base:
    here = int(os.environ.get("LOCAL_RANK", 0))
    announced = here == 0

    def __init__(self):
        self.me = dist.get_rank()
        self.others = dist.get_world_size() - 1


class Loop(Base):
    def __init__(self, verbose):
        super().__init__()
        self.verbose = verbose
        self.speaks = verbose and self.me == 0

    @property
    def leads(self):
        return self.me == 0

    @functools.cached_property
    def leads_for_good(self):
        return self.leads and self.verbose

    @property
    def several(self):
        return self.others > 0

    def inherited_attribute(self, tensor):
        if self.me == 0:
            dist.all_reduce(tensor)  # expect: TL101

    def class_attribute(self, tensor):
        if self.here == 0:
            dist.all_reduce(tensor)  # expect: TL101

    def class_flag(self, tensor):
        if Loop.announced:
            dist.all_reduce(tensor)  # expect: TL101

    def by_property(self, tensor):
        if self.leads:
            dist.all_reduce(tensor)  # expect: TL101

    def by_cached_property(self, tensor):
        if self.leads_for_good:
            dist.all_reduce(tensor)  # expect: TL101

    def by_attribute_of_both(self, tensor):
        if self.speaks:
            dist.all_reduce(tensor)  # expect: TL101

    def of_everybody(self, tensor):
        if self.several:
            dist.all_reduce(tensor)

    def configured(self, tensor):
        if self.verbose:
            dist.all_reduce(tensor)


def through_an_object(tensor):
    loop = Loop(True)
    if loop.leads:
        dist.all_reduce(tensor)  # expect: TL101


def getattr_of_an_object(tensor):
    loop = Loop(True)
    if getattr(loop, "me", 0) == 0:
        dist.all_reduce(tensor)  # expect: TL101


def everybody_through_an_object(tensor):
    loop = Loop(True)
    if loop.several:
        dist.all_reduce(tensor)
