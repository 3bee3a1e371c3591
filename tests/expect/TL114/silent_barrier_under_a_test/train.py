"""The function waits under a test of its own: nobody can say that it does."""

import torch.distributed as dist


def everybody_here(many):
    if many:
        dist.barrier()


def prepare(data, many):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        data.download()
    everybody_here(many)
