import random

import torch.distributed as dist


def mine(files):
    random.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]
