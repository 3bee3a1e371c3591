# A group is made by all and used by those who are in it.
import torch.distributed as dist
rank = dist.get_rank()
evens = [r for r in range(dist.get_world_size()) if r % 2 == 0]
group = dist.new_group(evens)
if rank in evens:
    dist.barrier(group)
