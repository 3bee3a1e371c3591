"""FSDP puts a state together from all ranks, and one rank asks for it."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def main():
    model = FSDP(torch.nn.Linear(4, 4), device_id=torch.device("cpu"))
    model(torch.ones(2, 4)).sum().backward()
    if dist.get_rank() == 0:
        state = model.state_dict()  # expect: TL105  # stuck: 0
        torch.save(state, "model.pt")
    return dist.get_world_size()
