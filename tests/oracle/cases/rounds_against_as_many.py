# Two barriers of each rank, in a loop or not.
import torch.distributed as dist
if dist.get_rank() == 0:
    dist.barrier()
    dist.barrier()
else:
    for _ in range(2):
        dist.barrier()
