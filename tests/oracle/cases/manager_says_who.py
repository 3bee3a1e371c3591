# A manager says which rank is the first; the others leave early.
import contextlib
import torch.distributed as dist
@contextlib.contextmanager
def main_first():
    rank = dist.get_rank()
    try:
        if rank > 0:
            dist.barrier()
        yield rank == 0
    finally:
        if rank == 0:
            dist.barrier()
def prepare():
    with main_first() as main:
        if not main:
            return
        dist.barrier()
prepare()
