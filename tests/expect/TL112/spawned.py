"""Processes that one process starts: what the starting process writes is written once."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world_size, folder):
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = torch.nn.Linear(2, 2)
    if rank == 0:
        torch.save(model.state_dict(), os.path.join(folder, "first.pt"))
    finish(model, folder)
    dist.destroy_process_group()


def finish(model, folder):
    torch.save(model.state_dict(), os.path.join(folder, "last.pt"))  # expect: TL112


def main(folder, processes):
    os.makedirs(folder)
    if processes == 1:
        worker(0, 1, folder)
    else:
        mp.spawn(worker, args=(processes, folder), nprocs=processes)
    with open(os.path.join(folder, "done"), "w") as file:
        file.write("yes")
