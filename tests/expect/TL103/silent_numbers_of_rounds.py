"""Correct: the number of the round, and whether there is a second loader, is the same on all ranks."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


class Reports:
    def every(self, first, rounds, items, often):
        """Hands out the batches with their numbers."""
        if hasattr(items, "__next__"):
            for number in range(first, rounds):
                batch = next(items)
                yield number, batch
        else:
            for number, batch in enumerate(items):
                yield number, batch
                if number % often == 0:
                    print(number)


def numbered(network, items, optimizer, first, rounds, reports):
    model = DistributedDataParallel(network)
    for number, batch in reports.every(first, rounds, items, 50):
        if number < first:
            continue
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if number == 0 or (number + 1) % 500 == 0:
            dist.all_reduce(torch.ones(1))


def main(network, data, optimizer):
    numbered(network, DataLoader(data), optimizer, 0, 100, Reports())


def two_sources(network, loaders, optimizer):
    model = DistributedDataParallel(network)
    first = loaders[0]
    second = [None] * len(first)
    if len(loaders) > 1:
        second = loaders[1]
    for step, (batch, more) in enumerate(zip(first, second), 1):
        model(batch).mean().backward()
        if more is not None:
            model(more).mean().backward()
        if step % 10 == 0:
            dist.all_reduce(torch.ones(1))
        optimizer.step()
        optimizer.zero_grad()
