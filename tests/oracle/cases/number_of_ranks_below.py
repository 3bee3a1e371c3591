# A sum over the ranks below.
import torch.distributed as dist
rank = dist.get_rank()
if sum(1 for r in range(4) if r < rank) >= 2:
    dist.barrier()
