"""Rounds that are as many on all ranks, that the ranks agreed on, or that wait for nobody."""

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def by_shape(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        for step in range(batch["inputs"].shape[1]):
            model(batch["inputs"][:, step]).mean().backward()


def by_length(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        for part in range(len(batch)):
            model(batch[part]).mean().backward()


def agreed(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        longest = batch["lengths"].max()
        dist.all_reduce(longest, op=dist.ReduceOp.MAX)
        for step in range(int(longest.item())):
            model(batch["inputs"][:, step]).mean().backward()


def one_pass_behind(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        loss = model(batch["inputs"]).mean()
        for step in range(int(batch["lengths"].max())):
            loss = loss + step
        loss.backward()


def by_a_setting(network, loader, steps):
    model = DistributedDataParallel(network)
    for batch in loader:
        for step in range(steps):
            model(batch["inputs"][:, step]).mean().backward()


def one_key(network, loader):
    model = DistributedDataParallel(network)
    found = {}
    for batch in loader:
        loss = model(batch["inputs"]).mean()
        loss.backward()
        found["loss"] = loss.detach()
    for number in found.values():
        dist.all_reduce(number)


def kinds_that_all_know(network, loader, kinds):
    model = DistributedDataParallel(network)
    found = {}
    for batch in loader:
        loss = model(batch["inputs"]).mean()
        loss.backward()
        found[batch["kind"][0]] = loss.detach()
    for kind in kinds:
        dist.all_reduce(found.get(kind, loss.detach()))


def by_number(network, loader):
    model = DistributedDataParallel(network)
    found = {}
    for number, batch in enumerate(loader):
        loss = model(batch["inputs"]).mean()
        loss.backward()
        found[number] = loss.detach()
    for number in found:
        dist.all_reduce(found[number])
