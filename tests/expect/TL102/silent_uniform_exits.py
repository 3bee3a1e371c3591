"""Exits that all ranks take together."""

import os
import sys

import torch
import torch.distributed as dist

LOCAL_RANK = int(os.getenv("LOCAL_RANK", "-1"))


def reduce_dict(values):
    if dist.get_world_size() < 2:
        return values
    for value in values.values():
        dist.all_reduce(value)
    return values


def not_launched(tensor):
    if LOCAL_RANK == -1:
        return
    dist.all_reduce(tensor)


def not_distributed(args, tensor):
    if not args.distributed or args.rank == -1:
        return tensor
    dist.all_reduce(tensor)
    return tensor


def not_initialized():
    if not dist.is_available():
        return
    if not dist.is_initialized():
        return
    dist.barrier()


def rank_unknown(rank=None):
    if rank is None:
        return
    dist.barrier()


def decided_together(rank, patience, epochs):
    for _ in range(epochs):
        flag = torch.tensor(float(rank == 0 and patience.exhausted()))
        dist.all_reduce(flag, op=dist.ReduceOp.MAX)
        if flag.item():
            break
        dist.barrier()


def decided_by_the_leader(rank, finished):
    answer = [finished() if rank == 0 else None]
    dist.broadcast_object_list(answer, src=0)
    if answer[0]:
        sys.exit(0)
    dist.barrier()


def bad_arguments(args):
    if args.epochs <= 0:
        raise ValueError("epochs")
    dist.barrier()


def unknown_failure(config):
    if not config.valid():
        sys.exit(1)
    dist.barrier()


def both_leave(rank):
    if rank == 0:
        return "leader"
    else:
        return "follower"
    dist.barrier()
