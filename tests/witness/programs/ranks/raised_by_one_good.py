"""All ranks find the fault."""

import torch.distributed as dist


def check(options):
    if "seed" not in options:
        raise KeyError("seed")
    dist.barrier()


def main():
    try:
        check({})
    except KeyError:
        print("no seed")
    return dist.get_world_size()
