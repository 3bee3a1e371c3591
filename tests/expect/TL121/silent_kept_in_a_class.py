"""The clip is kept in a class, with its limit."""

from functools import partial

import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def clip_local(model, max_norm):
    return nn.utils.clip_grad_norm_(model.parameters(), max_norm)


def clip_sharded(model, max_norm):
    return model.clip_grad_norm_(max_norm)


class Strategy:
    clip = staticmethod(partial(clip_sharded, max_norm=1.0))

    def setup(self, model):
        return FSDP(model, use_orig_params=True)


def train(model, loader):
    torch.distributed.init_process_group("nccl")
    strategy = Strategy()
    model = strategy.setup(model)
    optimizer = torch.optim.AdamW(model.parameters())
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        strategy.clip(model)
        optimizer.step()
