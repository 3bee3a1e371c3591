"""Puts a network on its device and makes the ranks train it together."""

import os

import torch
from torch.nn.parallel import DistributedDataParallel as Parallel


def distribute(network):
    if not torch.distributed.is_initialized():
        torch.distributed.init_process_group("nccl")
    place = int(os.environ["LOCAL_RANK"])
    return Parallel(network.to(place), device_ids=[place])
