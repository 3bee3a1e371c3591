# Rank 0 puts its decision into a list, nobody broadcasts it, and all ranks act on it (`equalised` without the broadcast).
import os

import torch.distributed as dist

box = [False]
if dist.get_rank() == 0:
    box[0] = os.path.exists("stop")
if box[0]:
    dist.barrier()
