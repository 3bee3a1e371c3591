# How many rounds: from a dict, by the rank.
import torch.distributed as dist
steps = {0: 1, 1: 2, 2: 2, 3: 2}
for _ in range(steps[dist.get_rank()]):
    dist.barrier()
