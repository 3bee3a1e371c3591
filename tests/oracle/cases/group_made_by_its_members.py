# A group is made by those alone who are in it.
import torch.distributed as dist
rank = dist.get_rank()
evens = [r for r in range(dist.get_world_size()) if r % 2 == 0]
group = None
if rank in evens:
    group = dist.new_group(evens)
if group is not None:
    dist.barrier(group)
