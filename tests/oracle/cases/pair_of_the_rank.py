# Each rank takes its pair out of a comprehension of groups; one of the two comes.
import torch
import torch.distributed as dist
rank = dist.get_rank()
world = dist.get_world_size()
groups = [dist.new_group([2 * i, 2 * i + 1]) for i in range(world // 2)]
mine = groups[rank // 2]
if rank % 2 == 0:
    dist.barrier(group=mine)
