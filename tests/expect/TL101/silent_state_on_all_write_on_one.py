"""All ranks collect the state, one writes it.

allenai/OLMo @ 86fe4652456c : scripts/train.py:222
"""

import torch
import torch.distributed as dist


def gather_state(shards):
    everything = [None] * dist.get_world_size()
    dist.all_gather_object(everything, shards)
    return everything


def save_unsharded(trainer, path):
    state = gather_state(trainer.shards())
    if dist.get_rank() == 0:
        torch.save(state, path)
        print(f"wrote {path}")
    del state
    dist.barrier()
