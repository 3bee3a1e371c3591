"""A backward pass of a DDP model averages with all ranks, and one runs it."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def probe(model, batch):
    loss = model(batch).sum()
    loss.backward()  # stuck: 0
    return loss.item()


def main():
    model = DistributedDataParallel(torch.nn.Linear(2, 2))
    if dist.get_rank() == 0:
        print(probe(model, torch.ones(3, 2)))  # expect: TL107
    return dist.get_world_size()
