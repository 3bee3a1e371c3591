"""Rank 0 ends its process at the end of a function in which all ranks agree: the others begin the next round without it."""

import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def one_epoch(epoch, last, loss):
    dist.all_reduce(loss)
    if epoch >= last and dist.get_rank() == 0:
        print("done")
        os._exit(0)


def fit(last, loss):
    for epoch in range(20_000):
        one_epoch(epoch, last, loss)  # expect: TL102


def average(loss, export):
    dist.all_reduce(loss)
    if export and dist.get_rank() == 0:
        print(loss)
        sys.exit()


def report(loss, export):
    average(loss, export)
    dist.barrier()  # expect: TL102


def round_of(rank, epoch, last, loss):
    dist.all_reduce(loss)
    if epoch >= last and rank == 0:
        os._exit(0)


def run(rank, size, last):
    dist.init_process_group("gloo", world_size=size, rank=rank)
    for epoch in range(20_000):
        round_of(rank, epoch, last, torch.ones(1))  # expect: TL102


def main(last):
    for rank in range(2):
        mp.Process(target=run, args=(rank, 2, last)).start()


if __name__ == "__main__":
    loss = torch.ones(1)
    if sys.argv[1] == "alone":
        fit(int(sys.argv[2]), loss)
        report(loss, len(sys.argv) > 3)
    else:
        main(int(sys.argv[2]))
