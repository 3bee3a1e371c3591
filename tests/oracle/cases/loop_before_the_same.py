# Two barriers of one rank, and then the one of all of them.
import torch.distributed as dist


def meet():
    dist.barrier()


rank = dist.get_rank()
if rank == 0:
    for _ in range(2):
        dist.barrier()
meet()
