"""Rank 0 alone gives values to an object that meets the other ranks once for each of them."""

import torch
import torch.distributed as dist


class Meter:
    def __init__(self, name):
        self.name = name
        self.sums = {}

    def add(self, name, value):
        self.sums[name] = self.sums.get(name, 0) + value

    def add_all(self, values):
        for name, value in values.items():
            self.add(name, value)

    def __enter__(self):
        return self

    def __exit__(self, *caught):
        for value in self.sums.values():
            dist.all_reduce(torch.tensor(value))


def fill(meter):
    meter.add("loss", 1.0)


def main():
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        with Meter("one") as meter:  # expect: TL101
            meter.add("loss", 1.0)
    if dist.get_rank() == 0:
        with Meter("several") as meter:  # expect: TL101
            meter.add_all({"loss": 1.0})
    if dist.get_rank() == 0:
        with Meter("elsewhere") as meter:  # expect: TL101
            fill(meter)


main()
