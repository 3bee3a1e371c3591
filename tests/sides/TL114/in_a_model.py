"""The wait is in an object that is called."""

import torch.distributed as dist


class Prepared:
    def __call__(self, rank, data):
        if rank == 0:
            data.download()
        dist.barrier()


def main(rank, data):
    dist.init_process_group("nccl")  # expect: TL114
    Prepared()(rank, data)
