"""The search for unused parameters: who asks for it, of which model, and with what else."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        return self.second(self.first(x))


class Spare(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        return self.first(x)


def asked_for(rank):
    return DDP(Whole().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


def by_keyword(rank):
    return DDP(module=Whole().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


def not_asked_for(rank):
    return DDP(Whole().to(rank), device_ids=[rank], find_unused_parameters=False)


def by_a_setting(rank, args):
    return DDP(Whole().to(rank), device_ids=[rank], find_unused_parameters=args.unused)


def not_said(rank):
    return DDP(Whole().to(rank), device_ids=[rank])


def said_by_others(rank, options):
    return DDP(Whole().to(rank), device_ids=[rank], find_unused_parameters=True, **options)


def static(rank):
    return DDP(Whole().to(rank), device_ids=[rank], find_unused_parameters=True, static_graph=True)


def with_a_spare_part(rank):
    return DDP(Spare().to(rank), device_ids=[rank], find_unused_parameters=True)


def one_of_two(rank, small):
    model = Whole() if small else Spare()
    return DDP(model.to(rank), device_ids=[rank], find_unused_parameters=True)


def wrapped(model, rank):
    return DDP(model.to(rank), device_ids=[rank], find_unused_parameters=True)


def wrapped_in_two_ways(rank):
    return wrapped(Whole(), rank), wrapped(Spare(), rank)


def wrapped_whole(model, rank):
    return DDP(model.to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


def wrapped_in_one_way(rank):
    return wrapped_whole(Whole(), rank)


def of_a_library(rank):
    return DDP(nn.Linear(8, 8).to(rank), device_ids=[rank], find_unused_parameters=True)


def out_of_sight(build, rank):
    return DDP(build().to(rank), device_ids=[rank], find_unused_parameters=True)


def another_wrapper(rank, wrapper):
    return wrapper(Whole().to(rank), device_ids=[rank], find_unused_parameters=True)


def train(loader, rank):
    model = asked_for(rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
