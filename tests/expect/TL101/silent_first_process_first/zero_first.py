from contextlib import contextmanager

import torch.distributed as dist


@contextmanager
def torch_distributed_zero_first(local_rank: int):
    if local_rank not in [-1, 0]:
        dist.barrier(device_ids=[local_rank])
    yield
    if local_rank == 0:
        dist.barrier(device_ids=[0])


@contextmanager
def wait_for_the_master(rank):
    if rank > 0:
        dist.barrier()
    try:
        yield
    finally:
        if rank == 0:
            dist.barrier()


class Waiter:
    def __init__(self, rank):
        self.rank = rank

    def __enter__(self):
        if self.rank != 0:
            dist.barrier()

    def __exit__(self, *exc):
        if self.rank == 0:
            dist.barrier()
