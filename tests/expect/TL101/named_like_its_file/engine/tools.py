"""A file that its package hands on as a file."""

import torch.distributed as dist


def tools(model):
    dist.barrier()


def count(model):
    return len(model)
