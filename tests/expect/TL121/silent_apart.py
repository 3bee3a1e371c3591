"""As in wenet (an engine's name), fairchem (a strategy of the object), LMFlow's raft trainer (hasattr), LlamaGen and torchtitan."""

import torch
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import clip_grad_norm_


def wrap(model, args):
    if args.train_engine == "torch_ddp":
        return DistributedDataParallel(model)
    return FullyShardedDataParallel(model, auto_wrap_policy=args.policy)


def update(model, optimizer, args):
    if args.train_engine == "torch_ddp":
        clip_grad_norm_(model.parameters(), 5.0)
    else:
        model.clip_grad_norm_(5.0)
    optimizer.step()


def main(model, loader, args):
    model = wrap(model, args)
    optimizer = torch.optim.AdamW(model.parameters())
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        update(model, optimizer, args)


class Unit:
    def __init__(self, model, strategy, policy):
        self.strategy = strategy
        self.model = FullyShardedDataParallel(model, auto_wrap_policy=policy) if strategy == "FSDP" else model

    def clip(self, limit):
        if self.strategy == "FSDP":
            return self.model.clip_grad_norm_(max_norm=limit)
        return torch.nn.utils.clip_grad_norm_(self.model.parameters(), max_norm=limit)


def trainer(model, loss, policy):
    model = FullyShardedDataParallel(model, auto_wrap_policy=policy)
    loss(model).backward()
    if hasattr(model, "clip_grad_norm_"):
        model.clip_grad_norm_(1.0)
    else:
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def in_place(model, loss, mesh):
    for block in model.layers:
        fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    loss(model).backward()
    torch.nn.utils.clip_grad_norm_([p for p in model.parameters()], 1.0, foreach=True)
