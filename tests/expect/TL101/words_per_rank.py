"""`# trainlint: per-rank` says of a test or a value what the analysis cannot know: it is another one on other ranks."""

import torch.distributed as dist

import cluster


def on_a_test(tensor):
    if cluster.speaks():  # trainlint: per-rank
        dist.all_reduce(tensor)  # expect: TL101


def on_a_value(tensor):
    speaks = cluster.speaks()  # trainlint: per-rank
    if speaks:
        dist.all_reduce(tensor)  # expect: TL101


def with_a_reason(tensor, shard):
    if shard.number == 0:  # trainlint: per-rank - every rank has a shard of its own
        dist.all_reduce(tensor)  # expect: TL101


def by_a_helper(tensor):
    if _speaks():
        dist.all_reduce(tensor)  # expect: TL101


def _speaks():
    return cluster.speaks()  # trainlint: per-rank


class Worker:
    def __init__(self, place):
        self.first = place.number == 0  # trainlint: per-rank
        self.warm = place.temperature > 20

    def by_an_attribute(self, tensor):
        if self.first:
            dist.all_reduce(tensor)  # expect: TL101

    def by_another_attribute(self, tensor):
        if self.warm:
            dist.all_reduce(tensor)


def as_an_expression(tensor):
    cluster.speaks() and dist.all_reduce(tensor)  # trainlint: per-rank  # expect: TL101


def by_a_loop(tensor):
    while cluster.speaks():  # trainlint: per-rank
        dist.all_reduce(tensor)  # expect: TL101


def without_a_word(tensor):
    if cluster.speaks():
        dist.all_reduce(tensor)


def both_arms(tensor):
    if cluster.speaks():  # trainlint: per-rank
        dist.all_reduce(tensor)
    else:
        dist.all_reduce(-tensor)


def in_a_text(tensor):
    if cluster.speaks("# trainlint: per-rank"):
        dist.all_reduce(tensor)
