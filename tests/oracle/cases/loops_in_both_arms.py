# The two arms have as many rounds each; what comes behind is one rank's alone.
import torch.distributed as dist
rank = dist.get_rank()
if rank == 0:
    for _ in range(2):
        dist.barrier()
else:
    for _ in range(2):
        dist.barrier()
if rank == 0:
    dist.barrier()
