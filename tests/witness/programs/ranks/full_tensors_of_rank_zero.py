"""A sharded tensor is made whole by one rank."""

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main():
    model = torch.nn.Linear(4, 4)
    fully_shard(model, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
    model(torch.ones(2, 4)).sum().backward()
    if dist.get_rank() == 0:
        for name, parameter in model.named_parameters():
            print(name, parameter.full_tensor().norm())  # expect: TL105  # stuck: 0
    return dist.get_world_size()
