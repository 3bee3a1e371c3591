# Rank 0 goes first; in the body it runs a collective, while the others wait for its barrier.
from contextlib import contextmanager

import torch
import torch.distributed as dist


@contextmanager
def main_first():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


with main_first():
    dist.all_reduce(torch.ones(1))
