"""A saver for all kinds of models waits for the others where the model is sharded; this one is not, so one rank may save alone."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.fsdp import FullyShardedDataParallel as Sharded
from torch.distributed.tensor import DTensor
from torch.nn.parallel import DistributedDataParallel


def in_parts(model):
    if isinstance(model, (Sharded, FSDPModule)):
        return True
    return any(isinstance(weight, DTensor) for weight in model.parameters())


def store(folder, models=None, optimizer=None):
    divided = False
    named = {}
    if models:
        if not isinstance(models, list):
            models = [models]
        named = {str(index): model for index, model in enumerate(models)}
        divided = any(in_parts(model) for model in named.values())
    if divided:
        dist.barrier()
    for name, model in named.items():
        torch.save(model.state_dict(), f"{folder}/{name}.pt")
    if optimizer is not None:
        torch.save(optimizer.state_dict(), f"{folder}/optimizer.pt")


def weights_of(model):
    if not in_parts(model):
        return model.state_dict()
    dist.barrier()
    return {name: weight.full_tensor() for name, weight in model.state_dict().items()}


def train(loader):
    model = DistributedDataParallel(nn.Linear(2, 2))
    for batch in loader:
        model(batch).sum().backward()
    if dist.get_rank() == 0:
        store("here", models=model)
    if dist.get_rank() == 0:
        torch.save(weights_of(model), "weights.pt")


def train_either_way(loader, mesh=None):
    model = nn.Linear(2, 2)
    if mesh is not None:
        fully_shard(model, mesh=mesh)
    else:
        model = DistributedDataParallel(model)
    for batch in loader:
        model(batch).sum().backward()
    if mesh is not None or dist.get_rank() == 0:
        store("here", models=model)
