"""All wait before all download."""

import torch.distributed as dist


def main(rank, data):
    dist.init_process_group("nccl")
    dist.barrier()
    data.download()
    dist.barrier()
