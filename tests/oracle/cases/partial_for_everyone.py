# A partial function is told that everybody comes.
import functools
import torch.distributed as dist
def sync(rank, everyone):
    if rank == 0 or everyone:
        dist.barrier()
first = functools.partial(sync, dist.get_rank(), everyone=True)
first()
