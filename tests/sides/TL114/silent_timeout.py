"""The group has more time."""

import torch.distributed as dist


def main(rank, data):
    dist.init_process_group("nccl", timeout=data.patience)
    if rank == 0:
        data.download()
    dist.barrier()
