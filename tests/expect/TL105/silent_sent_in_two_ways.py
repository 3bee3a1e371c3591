"""Rank 0 leaves by a function of its own, which puts the model together as the others do here (allenai/open-instruct)."""

import deepspeed
import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def send_by_memory(model, engines):
    if isinstance(model, FSDP):
        whole = FSDP.summon_full_params(model, writeback=False)
    else:
        whole = deepspeed.zero.GatheredParameters(model.parameters())
    with whole:
        return [engine.send(model) for engine in engines]


def send(model, engines, group):
    leads = not torch.distributed.is_initialized() or torch.distributed.get_rank() == 0
    if group is None and leads:
        return send_by_memory(model, engines)
    if isinstance(model, FSDP):
        whole = FSDP.summon_full_params(model, writeback=False)
    else:
        whole = deepspeed.zero.GatheredParameters(model.parameters())
    with whole:
        return [engine.update(model) for engine in engines] if leads else []
