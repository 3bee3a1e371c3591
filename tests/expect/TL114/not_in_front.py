"""The rank is compared, and that is turned around."""

import torch.distributed as dist


def fetch(rank, data):
    if not (rank != 0):
        data.download()
    dist.barrier()


def main(rank, data):
    dist.init_process_group("nccl")  # expect: TL114
    fetch(rank, data)
