# All ranks ask what they gathered.
import torch
import torch.distributed as dist
def f():
    mine = dist.get_rank() == 0
    every = [None] * dist.get_world_size()
    dist.all_gather_object(every, mine)
    if any(every):
        dist.barrier()
    if every[0]:
        dist.barrier()
f()
