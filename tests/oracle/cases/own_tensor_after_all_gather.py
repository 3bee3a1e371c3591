# What is gathered is equal, what a rank gave is its own.
import torch
import torch.distributed as dist
def f():
    flag = torch.tensor([dist.get_rank()])
    out = [torch.zeros(1) for _ in range(dist.get_world_size())]
    dist.all_gather(out, flag)
    if flag.item() == 0:
        dist.barrier()
f()
