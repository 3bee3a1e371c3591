"""Whether a model is wrapped already is the same on all ranks, though each has a model of its own."""

import torch
import torch.distributed as dist
from torch import nn


def unwrapped(model):
    return model.module if hasattr(model, "module") else model


def wrap(model):
    if unwrapped(model) is not model:
        return model
    dist.barrier()
    return nn.parallel.DistributedDataParallel(model)


def main(build, first, settings):
    rank = dist.get_rank()
    model = first if rank == settings.place else build(rank % settings.parts)
    return wrap(model)
