"""The group is started in a helper."""

import torch.distributed as dist


def begin():
    dist.init_process_group("nccl")  # expect: TL114


def main(rank, data):
    begin()
    if rank == 0:
        data.download()
    dist.barrier()
