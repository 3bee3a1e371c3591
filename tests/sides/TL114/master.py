"""A name says that it is the first."""

import torch.distributed as dist


def main(rank, data, is_master):
    dist.init_process_group("nccl")  # expect: TL114
    if is_master:
        data.download()
    dist.barrier()
