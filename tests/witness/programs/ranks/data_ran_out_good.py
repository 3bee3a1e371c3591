"""All go on until the last has no more data."""

import torch
import torch.distributed as dist


def samples(rank):
    yield from range(3 - rank)


def main():
    batches = samples(dist.get_rank())
    total = torch.zeros(1)
    while True:
        batch = next(batches, None)
        more = torch.tensor([int(batch is not None)])
        dist.all_reduce(more, op=dist.ReduceOp.MAX)
        if not more.item():
            break
        loss = torch.tensor([float(batch or 0)])
        dist.all_reduce(loss)
        total += loss
    return total.item()
