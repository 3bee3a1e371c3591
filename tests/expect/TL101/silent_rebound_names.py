"""A name that once held the rank and now holds something else; a local that hides a module."""

import torch.distributed as dist


def rebound(config, tensor):
    rank = dist.get_rank()
    print("rank", rank)
    rank = config["decomposition_rank"]
    if rank == 0:
        dist.all_reduce(tensor)


def flag_rebound(tensor, force):
    is_main = dist.get_rank() == 0
    print("main", is_main)
    is_main = force
    if is_main:
        dist.all_reduce(tensor)


def hidden_module(rank, dist):
    if rank == 0:
        dist.barrier()


def number_of_ranks(tensor):
    ranks = dist.get_world_size()
    if ranks == 1:
        return tensor
    dist.all_reduce(tensor)
    return tensor / ranks


def always_single(tensor):
    rank = 0
    if rank == 0:
        dist.all_reduce(tensor)
