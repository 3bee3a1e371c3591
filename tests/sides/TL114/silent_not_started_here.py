"""Nobody who starts a group leads there."""

import torch.distributed as dist


def begin():
    dist.init_process_group("nccl")


def prepare(rank, data):
    if rank == 0:
        data.download()
    dist.barrier()
