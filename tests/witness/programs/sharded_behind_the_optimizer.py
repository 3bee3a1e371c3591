"""Two models on two ranks, each sharded behind the back of an optimizer: by the wrapper, and in place."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard


def start():
    layer = nn.Linear(2, 2, bias=False)
    nn.init.zeros_(layer.weight)
    return layer


def wrapped():
    model = start()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)  # expect: TL118
    model = FullyShardedDataParallel(model, device_id=torch.device("cpu"))
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
    with FullyShardedDataParallel.summon_full_params(model):
        return model.weight.sum().item()


def in_place(mesh):
    model = start()
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)  # expect: TL118
    fully_shard(model, mesh=mesh)
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
    return model.weight.full_tensor().sum().item()


def main():
    dist.init_process_group("gloo")
    print(wrapped(), in_place(init_device_mesh("cpu", (dist.get_world_size(),))))
