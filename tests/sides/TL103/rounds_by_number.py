"""What is divided or compared is the number of the round, which is the same on all ranks, or something of the batch, which is not."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def numbered(loader):
    for step in range(len(loader)):
        yield step, loader[step]


def numbered_by_enumerate(loader):
    for each in enumerate(loader):
        yield each[0], each[1]


def paired(loader):
    for batch in loader:
        yield batch, batch.mean()


def of_enumerate(network, loader):
    model = DistributedDataParallel(network)
    for step, batch in enumerate(loader):
        model(batch).mean().backward()
        if step % 100 == 0:
            dist.barrier()


def of_enumerate_the_batch(network, loader):
    model = DistributedDataParallel(network)
    for step, batch in enumerate(loader):
        model(batch).mean().backward()
        if batch.sum() == step:
            dist.barrier()  # expect: TL103


def of_a_generator(network, loader):
    model = DistributedDataParallel(network)
    for step, batch in numbered(loader):
        model(batch).mean().backward()
        if step == 100:
            dist.barrier()


def of_a_generator_that_enumerates(network, loader):
    model = DistributedDataParallel(network)
    for step, batch in numbered_by_enumerate(loader):
        model(batch).mean().backward()
        if step == 100:
            dist.barrier()


def of_a_generator_of_pairs(network, loader):
    model = DistributedDataParallel(network)
    for batch, mean in paired(loader):
        model(batch).mean().backward()
        if mean > 100:
            dist.barrier()  # expect: TL103


def of_a_range(network, batches, steps):
    model = DistributedDataParallel(network)
    for step in range(steps):
        model(batches[step]).mean().backward()
        if step > 100:
            dist.barrier()


def asked_with_is(network, loader):
    model = DistributedDataParallel(network)
    for step, batch in enumerate(loader):
        model(batch).mean().backward()
        if torch.isnan(batch).any() and step > 0:
            dist.barrier()  # expect: TL103


def drawn_and_divided(network, numbers, batches):
    model = DistributedDataParallel(network)
    for number in numbers:
        model(batches[number]).mean().backward()
        if number % 10 == 0:
            dist.barrier()
