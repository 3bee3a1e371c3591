"""Registries that are dicts themselves: optimizers by items that are set, wrappers by a decorator."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


class Registry(dict):
    def register(self, name):
        def deco(obj):
            self[name] = obj
            return obj

        return deco

    def build(self, cfg, *args):
        cfg = dict(cfg)
        return self[cfg.pop("type")](*args, **cfg)


OPTIMIZERS = Registry()
OPTIMIZERS["adamw"] = torch.optim.AdamW
OPTIMIZERS["sgd"] = torch.optim.SGD
PARALLEL = Registry()


@PARALLEL.register("fsdp")
def wrap_fsdp(model):
    return FSDP(model)


def setup(cfg):
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4)).cuda()
    model = PARALLEL[cfg["parallel"]](model)
    optimizer = OPTIMIZERS.build(cfg["optimizer"], model.parameters())
    return model, optimizer


def main(cfg):
    dist.init_process_group("nccl")
    model, optimizer = setup(cfg)
    for _ in range(10):
        model(torch.ones(1, 4).cuda()).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main({"optimizer": {"type": "adamw", "lr": 1e-3}, "parallel": "fsdp"})
