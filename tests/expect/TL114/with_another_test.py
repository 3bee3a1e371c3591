"""One process works alone, if there is anything to do."""

import torch.distributed as dist


def fetch(rank, data, there):
    if rank == 0 and not there:
        data.download()
    dist.barrier()


def main(rank, data):
    dist.init_process_group("nccl")  # expect: TL114
    fetch(rank, data, False)
