"""Loaders from out of sight that are told the epoch, or of which no test says that they have to be."""

import warnings

from torch.utils.data import DistributedSampler, RandomSampler


class Engine:
    """A training framework that tells the samplers of its users."""

    def __init__(self, plugin, replicas):
        self.feed = plugin.batches
        self.held_out = plugin.held_out_batches
        if replicas > 1 and not isinstance(self.feed.sampler, DistributedSampler):
            warnings.warn("each replica will see all of the data")
        if replicas > 1 and not isinstance(self.held_out.sampler, DistributedSampler):
            warnings.warn("each replica will be tested on all of the data")

    def run(self, rounds, model, optimizer):
        for number in range(rounds):
            if isinstance(self.feed.sampler, DistributedSampler):
                self.feed.sampler.set_epoch(number)
            self.one_round(model, optimizer)

    def one_round(self, model, optimizer):
        for images in self.feed:
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()

    def test_often(self, rounds, model):
        for _ in range(rounds):
            for images in self.held_out:
                model(images)


def sharded_or_not(source, rounds, model, optimizer):
    size = len(source.dataset)
    if isinstance(source.sampler, DistributedSampler):
        size = len(source.sampler)
    for _ in range(rounds):
        for images in source:
            (model(images).sum() / size).backward()
            optimizer.step()
            optimizer.zero_grad()


def not_for_sharded_ones(source, rounds, model, optimizer):
    if isinstance(source.sampler, DistributedSampler):
        raise ValueError("one process only")
    for _ in range(rounds):
        for images in source:
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()


def any_shuffling_one(source, rounds, model, optimizer):
    assert isinstance(source.sampler, (RandomSampler, DistributedSampler))
    for _ in range(rounds):
        for images in source:
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()


def another_loader(source, other, rounds, model, optimizer):
    assert isinstance(source.sampler, DistributedSampler)
    for _ in range(rounds):
        for images in other:
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()


def one_pass(source, model, optimizer):
    assert isinstance(source.sampler, DistributedSampler)
    for images in source:
        model(images).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def a_new_loader_each_time(plugin, rounds, model, optimizer):
    for number in range(rounds):
        source = plugin.batches(number)
        assert isinstance(source.sampler, DistributedSampler)
        for images in source:
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
