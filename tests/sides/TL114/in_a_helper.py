"""What one process does is in a helper of what starts."""

import torch.distributed as dist


def prepare(rank, data):
    if rank == 0:
        data.download()
    dist.barrier()


def main(rank, data):
    dist.init_process_group("nccl")  # expect: TL114
    prepare(rank, data)
