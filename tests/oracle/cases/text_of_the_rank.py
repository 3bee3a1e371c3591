# What the variable of the rank begins with.
import os
import torch.distributed as dist
role = os.environ["RANK"]
if role.startswith("0"):
    dist.barrier()
