"""The ranks agree on how many rounds there are, or on when to stop."""

import itertools

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Subset


def mine(data):
    return Subset(data, range(dist.get_rank(), len(data), dist.get_world_size()))


def fewest(net, data, device):
    model = DistributedDataParallel(net)
    loader = DataLoader(mine(data), batch_size=4)
    rounds = torch.tensor(len(loader), device=device)
    dist.all_reduce(rounds, op=dist.ReduceOp.MIN)
    for x in itertools.islice(loader, int(rounds.item())):
        model(x).sum().backward()


def rank_zero_says(net, data):
    model = DistributedDataParallel(net)
    loader = DataLoader(mine(data), batch_size=4)
    rounds = [len(loader) - 1]
    dist.broadcast_object_list(rounds, src=0)
    for _, x in zip(range(rounds[0]), loader):
        model(x).sum().backward()


def flag(net, data, device):
    model = DistributedDataParallel(net)
    batches = iter(DataLoader(mine(data), batch_size=4))
    while True:
        x = next(batches, None)
        done = torch.tensor(float(x is None), device=device)
        dist.all_reduce(done)
        if done.item() > 0:
            break
        model(x).sum().backward()


def flag_in_for(net, data, more, device):
    model = DistributedDataParallel(net)
    for x in DataLoader(mine(data), batch_size=4):
        left = torch.tensor(float(more()), device=device)
        dist.all_reduce(left, op=dist.ReduceOp.MIN)
        if left.item() == 0:
            break
        model(x).sum().backward()


def so_many_steps(net, data, steps):
    model = DistributedDataParallel(net)
    taken = 0
    while taken < steps:
        for x in DataLoader(mine(data), batch_size=4):
            model(x).sum().backward()
            taken += 1
            if taken == steps:
                break


def cycled(net, data, steps):
    model = DistributedDataParallel(net)
    batches = itertools.cycle(DataLoader(mine(data), batch_size=4))
    for _ in range(steps):
        model(next(batches)).sum().backward()


def limited(items, step, limit):
    part = items[dist.get_rank() :: dist.get_world_size()]
    for number in range(min(len(part), limit)):
        dist.all_reduce(step(part[number]))
