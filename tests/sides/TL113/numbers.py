"""Starts of a group with numbers for the rank or the size."""

import torch.distributed as dist


def rank_and_size():
    dist.init_process_group("nccl", rank=0, world_size=4)  # expect: TL113


def size_only(rank):
    dist.init_process_group("nccl", rank=rank, world_size=4)  # expect: TL113


def rank_only(size):
    dist.init_process_group("nccl", rank=0, world_size=size)  # expect: TL113


def by_position():
    dist.init_process_group("nccl", "tcp://node:1", None, 4, 0)  # expect: TL113


def in_names():
    size = 4
    dist.init_process_group("nccl", rank=0, world_size=size)  # expect: TL113


def neither(rank, size):
    dist.init_process_group("nccl", rank=rank, world_size=size)


def of_the_environment():
    dist.init_process_group("nccl", rank=-1, world_size=-1)


def one_process():
    dist.init_process_group("nccl", rank=0, world_size=1)


def one_process_of_rank_unknown(rank):
    dist.init_process_group("nccl", rank=rank, world_size=1)


def made_up():
    dist.init_process_group("fake", rank=0, world_size=8)


def truth_as_a_number(size):
    dist.init_process_group("nccl", rank=False, world_size=size)
