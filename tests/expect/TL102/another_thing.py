"""Whether a rank has the first of several models is another answer on each."""

import torch.distributed as dist
from torch import nn


def wrap(model, first):
    if model is not first:
        return model
    dist.barrier()  # expect: TL102
    return nn.parallel.DistributedDataParallel(model)


def main(build, first, settings):
    rank = dist.get_rank()
    model = first if rank == settings.place else build(rank % settings.parts)
    return wrap(model, first)
