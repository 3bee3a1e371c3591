"""The step is skipped by all or by none."""

import math

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def batches(rank):
    for step in range(3):
        batch = torch.full((2, 2), float(step + 1))
        if rank == 1 and step == 1:
            batch[0] = math.nan
        yield batch


def main():
    model = DistributedDataParallel(torch.nn.Linear(2, 1, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in batches(dist.get_rank()):
        loss = model(batch).sum()
        skip = torch.isnan(loss).int()
        dist.all_reduce(skip, op=dist.ReduceOp.MAX)
        if skip.item():
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.module.weight.tolist()
