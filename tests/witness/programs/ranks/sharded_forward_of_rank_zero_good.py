"""All ranks run it."""

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main():
    model = torch.nn.Linear(4, 4)
    fully_shard(model, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
    answer = model(torch.ones(2, 4))
    if dist.get_rank() == 0:
        print(answer.shape)
    return list(answer.shape)
