"""Savers that wait for the others if the model is sharded: it is, or it is not, and they ask in many ways."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.tensor import DTensor


def turned(path, model):
    plain = not isinstance(model, FSDP)
    if plain:
        torch.save(model.state_dict(), path)
    else:
        dist.barrier()


def both(path, model, wait):
    if isinstance(model, FSDP) and wait:
        dist.barrier()


def either(path, model):
    if isinstance(model, FSDP) or any(isinstance(weight, DTensor) for weight in model.parameters()):
        dist.barrier()


def by_choice(path, model):
    sharded = isinstance(model, FSDP) if model is not None else False
    if sharded:
        dist.barrier()


def told(path, model, sharded):
    if sharded:
        dist.barrier()


def told_or_not(path, model, sharded=False):
    if sharded:
        dist.barrier()


def one_of_two(path, model):
    if isinstance(model, (nn.Sequential, FSDP)):
        dist.barrier()


def another_kind(path, model):
    if isinstance(model, nn.Sequential):
        dist.barrier()


def its_name(path, model):
    if hasattr(model, "name"):
        dist.barrier()


def each(path, model):
    if all(isinstance(weight, DTensor) for weight in model.parameters()):
        dist.barrier()


def deep(model):
    return bool(isinstance(model, FSDP))


def deeper(path, model):
    if deep(model):
        dist.barrier()


class Saver:
    def __init__(self, path):
        self.path = path

    def save(self, model):
        if isinstance(model, FSDP):
            dist.barrier()


def plain(path, loader, wait):
    model = nn.parallel.DistributedDataParallel(nn.Linear(2, 2))
    for batch in loader:
        model(batch).sum().backward()
    if dist.get_rank() == 0:
        turned(path, model)
    if dist.get_rank() == 0:
        both(path, model, wait)
    if dist.get_rank() == 0:
        either(path, model)
    if dist.get_rank() == 0:
        by_choice(path, model)
    if dist.get_rank() == 0:
        one_of_two(path, model)
    if dist.get_rank() == 0:
        each(path, model)
    if dist.get_rank() == 0:
        deeper(path, model)
    if dist.get_rank() == 0:
        Saver(path).save(model)


def other_questions(path, loader, named):
    model = nn.parallel.DistributedDataParallel(nn.Linear(2, 2))
    for batch in loader:
        model(batch).sum().backward()
    if dist.get_rank() == 0:
        another_kind(path, model)  # expect: TL101
    if dist.get_rank() == 0:
        its_name(path, model)  # expect: TL101
    if dist.get_rank() == 0:
        told_or_not(path, model, named)  # expect: TL101


def in_parts(path, loader, wait):
    model = FSDP(nn.Linear(2, 2))
    for batch in loader:
        model(batch).sum().backward()
    if dist.get_rank() == 0:
        turned(path, model)  # expect: TL101
    if dist.get_rank() == 0:
        both(path, model, wait)  # expect: TL101
    if dist.get_rank() == 0:
        either(path, model)  # expect: TL101
    if dist.get_rank() == 0:
        by_choice(path, model)  # expect: TL101
    if dist.get_rank() == 0:
        told(path, model, isinstance(model, FSDP))  # expect: TL101
    if dist.get_rank() == 0:
        one_of_two(path, model)  # expect: TL101
    if dist.get_rank() == 0:
        deeper(path, model)  # expect: TL101
    if dist.get_rank() == 0:
        Saver(path).save(model)  # expect: TL101


def in_parts_on_all(path, loader, wait):
    model = FSDP(nn.Linear(2, 2))
    for batch in loader:
        model(batch).sum().backward()
    turned(path, model)
    both(path, model, wait)
    told(path, model, isinstance(model, FSDP))
