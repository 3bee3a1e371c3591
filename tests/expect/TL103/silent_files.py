"""A file that was there before, or that one rank asks for."""

import os

import torch
import torch.distributed as dist


def resume(path, model):
    if os.path.exists(path):
        model.load_state_dict(torch.load(path, map_location="cpu"))
        dist.barrier()


def checked(path, rank, log):
    if not os.path.exists(path):
        if rank == 0:
            log("no checkpoint")
        dist.barrier()


def built(path, build):
    if dist.get_rank() == 0 and not os.path.exists(path):
        build(path)
    dist.barrier()
    return torch.load(path)
