"""A model whose state does not fit how it is sharded at that time, both ways; and the order that fits."""

import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


def whole_into_shards(mesh):
    other, model = nn.Linear(2, 2), nn.Linear(2, 2)
    fully_shard(model, mesh=mesh)
    model.load_state_dict(other.state_dict())  # expect: TL119


def shards_into_whole(mesh):
    other, model = nn.Linear(2, 2), nn.Linear(2, 2)
    fully_shard(other, mesh=mesh)
    model.load_state_dict(other.state_dict())  # expect: TL119


def in_time(mesh):
    other, model = nn.Linear(2, 2), nn.Linear(2, 2)
    model.load_state_dict(other.state_dict())
    fully_shard(model, mesh=mesh)


def main():
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    for load in (whole_into_shards, shards_into_whole, in_time):
        try:
            load(mesh)
            print(load.__name__)
        except RuntimeError as error:
            print("mixed torch.Tensor and DTensor" in str(error))
