# The same; the rank only prints.
import torch.distributed as dist
rank = dist.get_rank()
left = 4
while left:
    if left == rank:
        print("mine")
    left -= 1
    dist.barrier()
