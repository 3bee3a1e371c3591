"""The same, of two models: whether one is sharded says nothing of the other."""

import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP


def send(model, other, engines):
    leads = torch.distributed.get_rank() == 0
    if leads:
        if isinstance(other, FSDP):
            with FSDP.summon_full_params(other, writeback=False):  # expect: TL105
                return [engine.send(other) for engine in engines]
        return []
    if isinstance(model, FSDP):
        with FSDP.summon_full_params(model, writeback=False):  # expect: TL105
            return [engine.update(model) for engine in engines]
    return []
