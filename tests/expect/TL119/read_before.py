"""The state comes in a container that it was mapped into; one that somebody was handed may have been changed there."""

import torch
from torch.distributed.fsdp import fully_shard


def same(value):
    return value


def restore(model, path, mesh):
    states = list(map(same, [torch.load(path, map_location="cpu", weights_only=True)]))
    fully_shard(model, mesh=mesh)
    model.load_state_dict(states[0])  # expect: TL119
    return model


def converted(model, path, mesh, shard_in_place):
    state = torch.load(path, map_location="cpu", weights_only=True)
    states = list(map(same, [state]))
    fully_shard(model, mesh=mesh)
    shard_in_place(state, mesh)
    model.load_state_dict(states[0])
    return model
