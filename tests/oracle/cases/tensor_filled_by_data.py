# A tensor says whether this rank's file is there; it should have been reduced (`data_made_equal` without the reduction).
import os

import torch
import torch.distributed as dist

found = torch.zeros(1)
if os.path.exists("part.pt"):
    found.fill_(1.0)
if found > 0:
    dist.barrier()
