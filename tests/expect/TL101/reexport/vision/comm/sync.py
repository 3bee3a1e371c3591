import torch.distributed as dist

__all__ = ["meet"]


def meet():
    dist.barrier()
