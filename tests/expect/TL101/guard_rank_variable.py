"""The plainest spelling: a local variable that holds the rank."""

import torch
import torch.distributed as dist


def save_and_sync(model, path):
    rank = dist.get_rank()
    if rank == 0:
        torch.save(model.state_dict(), path)
        dist.barrier()  # expect: TL101


def mirrored(step):
    rank = dist.get_rank()
    if 0 == rank:
        print("step", step)
        dist.barrier()  # expect: TL101


def truthiness(loss):
    rank = dist.get_rank()
    if not rank:
        dist.all_reduce(loss)  # expect: TL101
        print(loss.item())


def less_than_one(metrics):
    rank = torch.distributed.get_rank()
    if rank < 1:
        dist.all_reduce(metrics)  # expect: TL101


def no_more_than_zero(metrics):
    my_rank = torch.distributed.get_rank()
    if my_rank <= 0:
        dist.all_reduce(metrics)  # expect: TL101


def walrus(total):
    if (r := dist.get_rank()) == 0:
        dist.all_reduce(total)  # expect: TL101
    return r
