"""A test of a value that a collective made the same everywhere, whatever it started as."""

import time

import torch
import torch.distributed as dist


def stop_together(rank, patience, loss):
    flag = torch.zeros(1)
    if rank == 0 and patience.exhausted(loss):
        flag += 1
    dist.broadcast(flag, src=0)
    if flag.item() == 1:
        dist.barrier()
        return True
    return False


def time_limit(started, limit):
    over = torch.tensor(float(time.time() - started > limit))
    dist.all_reduce(over, op=dist.ReduceOp.MAX)
    if over > 0:
        dist.barrier()


def object_list(rank, find_checkpoint):
    found = [find_checkpoint() if rank == 0 else None]
    dist.broadcast_object_list(found, src=0)
    checkpoint = found[0]
    if checkpoint is not None:
        dist.barrier()
    return checkpoint


def everyone_knows(ready):
    answers = [None] * dist.get_world_size()
    dist.all_gather_object(answers, ready and dist.get_rank() == 0)
    if any(answers):
        dist.barrier()
