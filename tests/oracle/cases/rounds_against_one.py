# One barrier of rank 0, two of the others.
import torch.distributed as dist
if dist.get_rank() == 0:
    dist.barrier()
else:
    for _ in range(2):
        dist.barrier()
