"""An option says that it downloads."""

import torch.distributed as dist


def main(rank, data):
    dist.init_process_group("nccl")  # expect: TL114
    if rank == 0:
        data.get(download=True)
    dist.barrier()
