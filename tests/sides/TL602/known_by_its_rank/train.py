import torch.distributed as dist

from states import restore


def main(hooks):
    dist.init_process_group("nccl")
    hooks.append(restore)
