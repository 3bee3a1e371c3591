"""What is written for Python 2 does not run."""

import os

import six
import torch.distributed as dist


def make(folder):
    if six.PY3:
        os.makedirs(folder, exist_ok=True)
    else:
        os.makedirs(folder)


def main(folder):
    dist.init_process_group("nccl")
    make(folder)
    print(dist.get_rank())
