# Roles by rank, from a dict comprehension.
import torch.distributed as dist
roles = {r: ("chief" if r == 0 else "worker") for r in range(dist.get_world_size())}
if roles[dist.get_rank()] == "chief":
    dist.barrier()
