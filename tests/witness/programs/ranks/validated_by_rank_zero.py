"""The forward pass of a DDP model sends the running statistics of rank 0 to all, in evaluation too."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def validate(model, batch):
    model.eval()
    with torch.no_grad():
        return model(batch).sum().item()  # stuck: 0


def main():
    model = DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2)))
    if dist.get_rank() == 0:
        print(validate(model, torch.ones(3, 2)))  # expect-not-yet: TL107
    return dist.get_world_size()
