# What a rank calls is in a dict comprehension over the ranks.
import torch.distributed as dist
def skip():
    pass
todo = {r: (dist.barrier if r % 2 else skip) for r in range(4)}
todo[dist.get_rank()]()
