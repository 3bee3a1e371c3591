"""Every rank looks at its own clock to see whether to go on."""

import time

import torch
import torch.distributed as dist

LIMIT = 0.5  # seconds


def work():
    """Ranks are not equally fast."""
    time.sleep(0.6 * dist.get_rank())
    return torch.tensor([1.0])


def main():
    began = time.monotonic()
    steps = 0
    while steps < 2:
        loss = work()
        if time.monotonic() - began > LIMIT:
            break
        dist.all_reduce(loss)  # expect: TL103  # stuck: 0
        steps += 1
    return steps
