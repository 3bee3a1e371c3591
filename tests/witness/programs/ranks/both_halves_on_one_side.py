"""A barrier in two halves, and both are run by the same ranks: the second test should be the opposite of the first."""

from pathlib import Path

import torch.distributed as dist


def prepared(rank):
    if rank != 0:
        dist.barrier()  # expect: TL101  # stuck: 1
    if rank == 0:
        Path("cache.txt").write_text("ready")
    if rank != 0:
        dist.barrier()  # expect: TL101
    return "ready"


def main():
    return prepared(dist.get_rank())
