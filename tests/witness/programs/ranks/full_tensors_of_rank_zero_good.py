"""All ranks make it whole, one prints it."""

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def main():
    model = torch.nn.Linear(4, 4)
    fully_shard(model, mesh=init_device_mesh("cpu", (dist.get_world_size(),)))
    model(torch.ones(2, 4)).sum().backward()
    norms = {name: parameter.full_tensor().norm().item() for name, parameter in model.named_parameters()}
    if dist.get_rank() == 0:
        print(norms)
    return norms
