"""The others wait first."""

import torch.distributed as dist


def main(rank, data):
    dist.init_process_group("nccl")  # expect: TL114
    if rank != 0:
        dist.barrier()
    data.download()
    if rank == 0:
        dist.barrier()
