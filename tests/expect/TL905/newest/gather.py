"""What only the newest version deprecates: as in pytorch/torchtitan."""

import torch
import torch.distributed as dist


def gather(out, part):
    dist.all_gather_into_tensor(out, part)  # expect: TL905
    return torch.jit.script(torch.nn.Linear(1, 1))  # expect: TL905
