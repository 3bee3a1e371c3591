import torch.distributed as dist

from states import restore


def main(optimizer, path):
    dist.init_process_group("nccl")
    restore(optimizer, path)
