"""One function, called like its file."""

import torch.distributed as dist


def train(model):
    model.step()
    dist.barrier()
