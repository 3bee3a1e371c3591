"""The root of a broadcast runs it, its receivers do not."""

import torch
import torch.distributed as dist


def main():
    rank = dist.get_rank()
    weights = torch.full((4,), float(rank + 1))
    if rank == 0:
        dist.broadcast(weights, src=0)  # expect: TL101  # stuck: 0
    return weights.tolist()
