"""A number that was worked out behind a test on the rank that all of them answer alike: as many rounds everywhere."""

import torch.distributed as dist


class Parts:
    def __init__(self, process_rank=None, world=None, most=32):
        if world is None or process_rank is None:
            process_rank = dist.get_rank()
            world = dist.get_world_size()
        self.process_rank = process_rank
        self.world = world
        self.count = min(self.world, most)

    def sum_up(self, tensors):
        for root in range(self.count):
            dist.reduce(tensors[root], dst=root)
