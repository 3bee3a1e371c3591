"""One side reduces to all, the other to one."""

import torch
import torch.distributed as dist


def main():
    loss = torch.tensor([1.0])
    if dist.get_rank() == 0:
        dist.all_reduce(loss)  # expect: TL104  # stuck: 0
    else:
        dist.reduce(loss, dst=0)  # stuck: 1
    return dist.get_world_size()
