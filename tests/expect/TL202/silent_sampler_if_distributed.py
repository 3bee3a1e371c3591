"""A sampler, or two loaders, for as many processes as there are."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from torchvision.datasets import CIFAR10


def learn(net, loader, optimizer):
    for images, kinds in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()


def one_sampler_or_none(net, optimizer, args):
    if args.distributed:
        net = DistributedDataParallel(net)
    data = CIFAR10("data")
    sampler = DistributedSampler(data) if args.distributed else None
    loader = DataLoader(data, batch_size=64, shuffle=sampler is None, sampler=sampler)
    for epoch in range(args.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        learn(net, loader, optimizer)


def one_loader_or_the_other(net, optimizer, epochs):
    data = CIFAR10("data")
    if dist.get_world_size() > 1:
        net = DistributedDataParallel(net)
        loader = DataLoader(data, batch_size=64, sampler=DistributedSampler(data))
    else:
        loader = DataLoader(data, batch_size=64, shuffle=True)
    for epoch in range(epochs):
        if hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        learn(net, loader, optimizer)


class Batches:
    """Takes the rank's indices itself."""

    def __init__(self, count, size):
        self.indices = list(range(count))[dist.get_rank() :: dist.get_world_size()]
        self.size = size

    def __iter__(self):
        for start in range(0, len(self.indices), self.size):
            yield self.indices[start : start + self.size]


def batches_of_its_own(net, optimizer, epochs):
    net = DistributedDataParallel(net)
    data = CIFAR10("data")
    loader = DataLoader(data, batch_sampler=Batches(len(data), 64))
    for _ in range(epochs):
        learn(net, loader, optimizer)


def sampler_from_elsewhere(net, optimizer, epochs, registry):
    net = DistributedDataParallel(net)
    data = CIFAR10("data")
    loader = DataLoader(data, batch_size=64, sampler=registry.build("sampler", data))
    for _ in range(epochs):
        learn(net, loader, optimizer)
