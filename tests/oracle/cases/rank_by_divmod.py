# The local rank is computed from the rank.
import torch.distributed as dist

node, local = divmod(dist.get_rank(), 2)
if local == 0:
    dist.barrier()
