# A loop over the bits of the rank.
import torch.distributed as dist
rank = dist.get_rank()
step = 1
while step < 4:
    if rank & step:
        dist.barrier()
    step <<= 1
