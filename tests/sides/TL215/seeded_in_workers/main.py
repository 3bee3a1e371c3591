import random

import torch.distributed as dist
from files import mine
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader


def begin(worker):
    random.seed(42)
    return worker


def main(net, names):
    dist.init_process_group("nccl")
    model = DistributedDataParallel(net)
    return model, DataLoader(mine(names), num_workers=2, worker_init_fn=begin)
