"""A method that meets the others, called where an attribute says that this is the first rank."""

from pathlib import Path

import torch
import torch.distributed as dist


class Trainer:
    def __init__(self):
        self.rank = dist.get_rank()
        self.is_main = self.rank == 0
        self.steps = 0

    def step(self):
        self.steps += 1

    def save(self):
        if self.is_main:
            torch.save({"steps": self.steps}, Path("last.pt"))
        dist.barrier()  # stuck: 0

    def fit(self, steps):
        for number in range(steps):
            self.step()
            if self.is_main and number == steps - 1:
                self.save()  # expect: TL101
        return self.steps


def main():
    return Trainer().fit(3)
