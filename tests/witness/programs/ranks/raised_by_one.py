"""One rank finds a fault in the configuration and raises; its caller goes on without the meeting."""

import torch.distributed as dist


def check(options):
    if dist.get_rank() == 0 and "seed" not in options:
        raise KeyError("seed")
    dist.barrier()  # expect: TL102  # stuck: 1


def main():
    try:
        check({})
    except KeyError:
        print("no seed")
    return dist.get_world_size()
