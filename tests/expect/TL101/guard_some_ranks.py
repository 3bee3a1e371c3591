"""Tests that single out ranks other than zero."""

import torch.distributed as dist


def even_ranks(halo):
    rank = dist.get_rank()
    if rank % 2 == 0:
        dist.all_reduce(halo)  # expect: TL101


def last_rank(halo):
    rank, world_size = dist.get_rank(), dist.get_world_size()
    if rank == world_size - 1:
        dist.all_reduce(halo)  # expect: TL101


def first_two(halo):
    if dist.get_rank() in (0, 1):
        dist.all_reduce(halo)  # expect: TL101


def upper_half(halo):
    me = dist.get_rank()
    half = dist.get_world_size() // 2
    if me >= half:
        dist.all_reduce(halo)  # expect: TL101


def between(halo):
    if 0 < dist.get_rank() < 3:
        dist.all_reduce(halo)  # expect: TL101


def chosen(halo):
    writer_rank = 2
    if dist.get_rank() == writer_rank:
        dist.all_reduce(halo)  # expect: TL101


def first_of_each_node(halo, gpus_per_node):
    if dist.get_rank() % gpus_per_node == 0:
        dist.all_reduce(halo)  # expect: TL101
