"""Two clocks by one name: the one for several processes waits, the other does not."""

import time

import torch
import torch.distributed as dist

USE_DDP = dist.is_available() and dist.is_initialized()


def _now():
    return time.time()  # expect: TL802


def _now_on_all():
    torch.cuda.synchronize()
    seconds = torch.tensor(time.time(), device="cuda")
    dist.all_reduce(seconds, op=dist.ReduceOp.MAX)
    return seconds.item()


if USE_DDP:
    now = _now_on_all
else:
    now = _now


def run(update, steps):
    begun = now()
    for _ in range(steps):
        update()
    return now() - begun
