# Numbered items, of which each rank takes one.
import torch.distributed as dist
rank = dist.get_rank()
for index, name in enumerate(["a", "b", "c", "d"]):
    if index == rank:
        dist.barrier()
