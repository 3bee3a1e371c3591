"""Rank 0 leaves in the last round alone: the other ranks have no next round either, and nothing follows."""

import os
import sys

import torch
import torch.distributed as dist


def returns(rank, epochs, loss):
    for epoch in range(epochs):
        dist.all_reduce(loss)
        if rank == 0 and epoch == epochs - 1:
            return


def breaks(rank, epochs, loss):
    for epoch in range(1, epochs + 1):
        dist.all_reduce(loss)
        if epoch >= epochs and rank == 0:
            break


def ends(rank, first, epochs, loss):
    for epoch in range(first, epochs):
        dist.all_reduce(loss)
        if epoch + 1 == epochs and rank == 0:
            print("done")
            sys.exit(0)


def one_epoch(rank, epoch, epochs, loss):
    dist.all_reduce(loss)
    if epoch == epochs - 1 and rank == 0:
        os._exit(0)


def ends_in_what_it_calls(rank, total, loss):
    for number in range(total):
        one_epoch(rank, number, total, loss)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    rank, epochs, loss = dist.get_rank(), int(sys.argv[2]), torch.ones(1)
    if sys.argv[1] == "returns":
        returns(rank, epochs, loss)
    elif sys.argv[1] == "breaks":
        breaks(rank, epochs, loss)
    elif sys.argv[1] == "ends":
        ends(rank, int(sys.argv[3]), epochs, loss)
    else:
        ends_in_what_it_calls(rank, epochs, loss)
