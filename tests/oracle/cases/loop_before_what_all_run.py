# Rank 0 goes through a loop before it comes to the loop in which the others are.
import torch
import torch.distributed as dist
rank = dist.get_rank()
if rank == 0:
    for _ in range(3):
        dist.barrier()
for _ in range(2):
    dist.all_reduce(torch.ones(1))
