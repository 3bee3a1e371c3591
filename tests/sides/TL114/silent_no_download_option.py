"""An option says that it does not."""

import torch.distributed as dist


def main(rank, data):
    dist.init_process_group("nccl")
    if rank == 0:
        data.get(download=False)
    dist.barrier()
