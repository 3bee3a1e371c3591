"""All clip, one prints."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    model = FSDP(torch.nn.Linear(4, 4), device_id=torch.device("cpu"))
    model(torch.ones(2, 4)).sum().backward()
    norm = model.clip_grad_norm_(1.0)
    if dist.get_rank() == 0:
        print(norm)
    return norm.item()
