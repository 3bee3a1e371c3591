"""Ends of processes that are no ranks, or of all ranks, in functions that communicate and are called in loops."""

import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def saved_by_a_child(state, loss):
    dist.all_reduce(loss)
    if dist.get_rank() == 0:
        child = os.fork()
        if child == 0:
            torch.save(state, "state.pt")
            os._exit(0)


def saved_by_a_child_of_one(state, loss):
    dist.all_reduce(loss)
    if dist.get_rank() != 0:
        return
    if os.fork() == 0:
        torch.save(state, "state.pt")
        os._exit(0)


def watched(loss, seconds):
    dist.all_reduce(loss)
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", str(seconds)])
        os._exit(1)


def copier(rank, tasks):
    for task in iter(tasks.get, None):
        torch.save(task, f"{rank}.pt")
    if rank == 0:
        os._exit(0)


def copied(loss, tasks):
    dist.all_reduce(loss)
    for number in range(2):
        mp.Process(target=copier, args=(number, tasks)).start()


def done_together(loss, last, epoch):
    dist.all_reduce(loss)
    if epoch >= last:
        if dist.get_rank() == 0:
            print("done")
        sys.exit(0)


def checked(loss, path):
    dist.all_reduce(loss)
    if dist.get_rank() == 0 and not os.path.exists(path):
        sys.exit(f"no such file: {path}")


def fit(state, loss, tasks, last):
    for epoch in range(20_000):
        saved_by_a_child(state, loss)
        saved_by_a_child_of_one(state, loss)
        watched(loss, 60)
        copied(loss, tasks)
        checked(loss, "state.pt")
        done_together(loss, last, epoch)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    fit({}, torch.ones(1), mp.Queue(), int(sys.argv[1]))
