"""Nobody calls this in sight but a test, with the one rank that a test has."""

import torch.distributed as dist


def save(state, rank, world_size):
    if rank == 0:
        print(state)
        dist.barrier()  # expect: TL101
