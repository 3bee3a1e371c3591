"""The layers of a sharded model are put together for each forward pass, from all ranks."""

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main():
    model = torch.nn.Linear(4, 4)
    fully_shard(model, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
    if dist.get_rank() == 0:
        print(model(torch.ones(2, 4)).shape)  # expect: TL107  # stuck: 0
    return dist.get_world_size()
