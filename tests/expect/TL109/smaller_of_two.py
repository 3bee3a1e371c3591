"""The smaller of two numbers, one of which is another one on each rank."""

import torch.distributed as dist


def of_all(tensor, root):
    dist.reduce(tensor, dst=root)


class Parts:
    def __init__(self, place=None, world=None, most=32):
        if world is None or place is None:
            place = dist.get_rank()
            world = dist.get_world_size()
        self.place = place
        self.world = world
        self.count = min(self.place, most)

    def sum_up(self, tensors):
        for root in range(self.count):  # expect: TL109
            of_all(tensors[root], root)
