"""Which number the repair may take: the parameter that the program's own processes were started with."""

import torch
import torch.multiprocessing as mp
from torch.distributed import init_process_group


def numbered(index, world):
    init_process_group("nccl", rank=index, world_size=world)  # expect: TL110
    return torch.nn.Linear(4, 4).cuda()


def start_numbered(world):
    mp.spawn(numbered, args=(world,), nprocs=world)


def join_as(index, world):
    init_process_group("nccl", rank=index, world_size=world)  # expect: TL110


def numbered_within(index, world):
    join_as(index, world)
    return torch.nn.Linear(4, 4).cuda()


def start_within(world):
    mp.spawn(numbered_within, args=(world,), nprocs=world)


def join_shifted(index, world):
    init_process_group("nccl", rank=index, world_size=world)  # expect: TL110


def shifted(index, world, first):
    join_shifted(first + index, world)
    return torch.nn.Linear(4, 4).cuda()


def start_shifted(world, first):
    mp.spawn(shifted, args=(world, first), nprocs=world)


def join_other(index, world):
    init_process_group("nccl", rank=index, world_size=world)  # expect: TL110


def other(index, world, seed):
    join_other(seed, world)
    return torch.nn.Linear(4, 4).cuda()


def start_other(world, seed):
    mp.spawn(other, args=(world, seed), nprocs=world)


def unnumbered(index, world):
    init_process_group("nccl", rank=0, world_size=world)  # expect: TL110
    return torch.nn.Linear(4, 4).cuda()


def from_somebody(index, world):
    init_process_group("nccl", rank=index, world_size=world)  # expect: TL110
    return torch.nn.Linear(4, 4).cuda()


def without_a_number():
    init_process_group("nccl")  # expect: TL110
    return torch.nn.Linear(4, 4).cuda()
