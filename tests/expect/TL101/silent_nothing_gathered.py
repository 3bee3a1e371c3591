"""What an object does at the end for each value it was given, it does for none where it was given none."""

import torch
import torch.distributed as dist


class Meter:
    def __init__(self, name):
        self.name = name
        self.sums = {}
        self.means = {}
        self.rounds = 0

    def add(self, values):
        self.rounds += 1
        for name, value in values.items():
            if name not in self.sums:
                self.sums[name] = 0
            self.sums[name] += value

    def note(self, values):
        for name, value in values.items():
            self.means[name] = value

    def __enter__(self):
        self.sums = {}
        return self

    def __exit__(self, *caught):
        for name, value in self.sums.items():
            mean = torch.tensor(value / self.rounds)
            dist.all_reduce(mean)
            self.means[name] = mean
        print(self.name, self.means)


def main(model, batches, epochs):
    dist.init_process_group("nccl")
    for epoch in range(epochs):
        with Meter("train") as meter:
            for batch in batches:
                meter.add({"loss": model(batch).item()})
        if dist.get_rank() == 0:
            with Meter("valid") as meter:
                meter.note({"loss": model(batches[0]).item(), "epoch": epoch})


main(torch.nn.Linear(2, 1), [], 3)
