"""The barrier comes before what one does."""

import torch.distributed as dist


def main(rank, data):
    dist.init_process_group("nccl")
    dist.barrier()
    if rank == 0:
        data.download()
