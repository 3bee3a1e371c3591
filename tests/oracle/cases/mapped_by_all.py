# All ranks map a function that communicates.
import torch
import torch.distributed as dist
def reduce(x):
    if dist.get_rank() == 0:
        print(x)
    dist.all_reduce(x)
    return x
xs = list(map(reduce, [torch.ones(1), torch.ones(1)]))
