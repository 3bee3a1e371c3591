import torch.distributed as dist


def main_process():
    return dist.get_rank() == 0


def everyone():
    dist.barrier()
