"""The options may hold more time."""

import torch.distributed as dist


def main(rank, data):
    dist.init_process_group("nccl", **data.options)
    if rank == 0:
        data.download()
    dist.barrier()
