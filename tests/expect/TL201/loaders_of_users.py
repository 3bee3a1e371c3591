"""The loader comes from out of sight; a test says that its sampler has to be a distributed one."""

import warnings

from torch.utils.data import DistributedSampler
from torch.utils.data import distributed as sharding
from tqdm import tqdm


class Engine:
    """A training framework: the loaders are its users'."""

    def __init__(self, plugin, replicas):
        self.replicas = replicas
        self.feed = plugin.batches
        if self.replicas > 1 and not isinstance(self.feed.sampler, DistributedSampler):
            warnings.warn("each replica will see all of the data")

    def run(self, rounds, model, optimizer):
        for number in range(rounds):  # expect: TL201
            self.one_round(model, optimizer)

    def one_round(self, model, optimizer):
        for images in tqdm(self.feed):
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()


def fit(source, rounds, model, optimizer):
    assert isinstance(source.sampler, sharding.DistributedSampler)
    for _ in range(rounds):  # expect: TL201
        for number, images in enumerate(source):
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()


def fit_or_refuse(source, rounds, model, optimizer):
    if not isinstance(source.sampler, DistributedSampler):
        raise ValueError("a sharded loader is needed")
    while rounds > 0:  # expect: TL201
        for images in source:
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        rounds -= 1


def fit_through_a_batch_sampler(source, rounds, model, optimizer):
    sampler = source.batch_sampler.sampler
    if rounds > 1 and not isinstance(sampler, DistributedSampler):
        raise TypeError(type(sampler).__name__)
    for _ in range(rounds):  # expect: TL201
        for images in source:
            model(images).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
