"""How the group is started, of a collective on the host."""

import torch
import torch.distributed as dist


def setup(args):
    dist.init_process_group("nccl")


def mean(value):
    total = torch.zeros(1)
    dist.all_reduce(total)  # expect: TL125
    return total
