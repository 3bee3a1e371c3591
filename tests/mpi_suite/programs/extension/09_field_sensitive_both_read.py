"""As in the microbenchmarks; here both fields are read."""

import torch.distributed as dist


class Place:
    def __init__(self):
        self.rank = dist.get_rank()
        self.ranks = dist.get_world_size()


def meet(place):
    if place.ranks > 1:
        dist.barrier()


def main():
    place = Place()
    meet(place)
    print(f"rank {place.rank} of {place.ranks}")
