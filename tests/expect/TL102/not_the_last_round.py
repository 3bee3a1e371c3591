"""Rank 0 leaves in a round that looks like the last one: another follows, or something behind the loop."""

import sys

import torch
import torch.distributed as dist


def before_the_last(rank, epochs, loss):
    for epoch in range(epochs):
        dist.all_reduce(loss)  # expect: TL102
        if rank == 0 and epoch == epochs - 2:
            return


def of_another_count(rank, epochs, total, loss):
    for epoch in range(epochs):
        dist.all_reduce(loss)  # expect: TL102
        if rank == 0 and epoch == total - 1:
            return


def behind_the_loop(rank, epochs, loss):
    for epoch in range(epochs):
        dist.all_reduce(loss)
        if rank == 0 and epoch == epochs - 1:
            return
    dist.barrier()  # expect: TL102


def counted_from_one(rank, epochs, loss):
    for epoch in range(1, epochs + 1):
        dist.all_reduce(loss)  # expect: TL102
        if rank == 0 and epoch == epochs - 1:
            return


if __name__ == "__main__":
    dist.init_process_group("gloo")
    rank, epochs, loss = dist.get_rank(), int(sys.argv[1]), torch.ones(1)
    before_the_last(rank, epochs, loss)
    of_another_count(rank, epochs, int(sys.argv[2]), loss)
    behind_the_loop(rank, epochs, loss)
    counted_from_one(rank, epochs, loss)
