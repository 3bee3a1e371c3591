"""One function saves models of any kind; a sharded one has been dealt with before, or is none by its class."""

import os

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel


def wrap(model, settings):
    if settings.engine == "torch_ddp":
        model = DistributedDataParallel(model)
    elif settings.engine == "torch_fsdp":
        model = FSDP(model)
    return model


def save(model, path):
    if isinstance(model, torch.nn.DataParallel):
        state = model.module.state_dict()
    elif isinstance(model, DistributedDataParallel):
        state = model.module.state_dict()
    else:
        state = model.state_dict()
    torch.save(state, path)


def save_plain(model, path):
    if isinstance(model, (DistributedDataParallel, torch.nn.DataParallel)):
        torch.save(model.state_dict(), path)


def finish(model, path, notes):
    rank = int(os.environ["RANK"])
    if notes["engine"] == "torch_fsdp":
        torch.save(model.state_dict(), f"{path}.{rank}")
    elif rank == 0:
        save(model, path)


def main(model, settings, notes, path):
    dist.init_process_group("nccl")
    model = wrap(model, settings)
    finish(model, path, notes)
    if dist.get_rank() == 0:
        save_plain(model, path)
