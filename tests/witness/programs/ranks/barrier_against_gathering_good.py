"""All wait, then gather."""

import torch.distributed as dist


def gathered(value):
    everywhere = [None] * dist.get_world_size()
    dist.all_gather_object(everywhere, value)
    return everywhere


def main():
    dist.barrier()
    return gathered(dist.get_rank())
