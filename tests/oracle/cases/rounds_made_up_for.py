# Rounds by rank, and as many more as the greatest number asks for.
import torch.distributed as dist
rank = dist.get_rank()
n = rank + 1
sizes = [None] * 4
dist.all_gather_object(sizes, n)
for _ in range(n):
    dist.barrier()
for _ in range(max(sizes) - n):
    dist.barrier()
