# Rank 0 has one hook more, if the setting says so.
import os
import torch.distributed as dist


def meet():
    dist.barrier()


rank = dist.get_rank()
hooks = [meet]
if rank == 0 and os.environ.get("MORE", "1") == "1":
    hooks.append(meet)
for hook in hooks:
    hook()
