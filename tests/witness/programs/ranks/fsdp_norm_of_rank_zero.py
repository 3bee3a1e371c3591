"""FSDP's own clipping adds up the norms of all ranks; one clips, to print the norm."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    model = FSDP(torch.nn.Linear(4, 4), device_id=torch.device("cpu"))
    model(torch.ones(2, 4)).sum().backward()
    if dist.get_rank() == 0:
        print(model.clip_grad_norm_(1.0))  # expect: TL105  # stuck: 0
    return dist.get_world_size()
