"""The same without the broadcast: each rank leaves when it likes."""

import torch
import torch.distributed as dist


def generate(model, ids):
    for _ in range(20):
        if dist.get_rank() == 0:
            stop = torch.ones(())
        else:
            stop = torch.zeros(())
        dist.all_reduce(ids)  # expect: TL102
        if stop.item() > 0:
            break
    return ids
