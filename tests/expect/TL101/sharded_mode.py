"""The saver waits for the others where the model is sharded, and it is."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as Sharded
from torch.nn.parallel import DistributedDataParallel


def in_parts(model):
    return isinstance(model, Sharded)


def store(folder, model):
    if in_parts(model):
        dist.barrier()
    torch.save(model, f"{folder}/model.pt")


def train(loader):
    model = Sharded(nn.Linear(2, 2))
    for batch in loader:
        model(batch).sum().backward()
    if dist.get_rank() == 0:
        store("here", model)  # expect: TL101


def train_on_many(loader):
    model = DistributedDataParallel(nn.Linear(2, 2))
    for batch in loader:
        model(batch).sum().backward()
    if dist.get_rank() == 0:
        store_and_wait("here", model)  # expect: TL101


def store_and_wait(folder, model):
    torch.save(model, f"{folder}/model.pt")  # expect: TL606
    dist.barrier()


def store_here(model):
    if dist.get_rank() == 0:
        if isinstance(model, Sharded):
            dist.barrier()  # expect: TL101
        torch.save(model, "model.pt")
