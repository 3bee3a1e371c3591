import torch.distributed as dist


def settle():
    if dist.is_initialized():
        dist.barrier()
