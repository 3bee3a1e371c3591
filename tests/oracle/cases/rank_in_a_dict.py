# The rank is kept in a dict.
import torch.distributed as dist

info = {"rank": dist.get_rank(), "world": dist.get_world_size()}
if info["rank"] == 0:
    dist.barrier()
