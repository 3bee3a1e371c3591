"""The attribute is read by all and printed by one."""

import torch
import torch.distributed as dist


class Meter:
    def __init__(self, value):
        self.value = torch.tensor([value])

    @property
    def is_main(self):
        return dist.get_rank() == 0

    @property
    def mean(self):
        everywhere = self.value.clone()
        dist.all_reduce(everywhere)
        return everywhere.item() / dist.get_world_size()


def main():
    meter = Meter(float(dist.get_rank()))
    mean = meter.mean
    if meter.is_main:
        print(mean)
    return mean
