"""A model of another file, run in a method."""

import timeit

import torch

from layers import Encoder


class Speed:
    def __init__(self, size, device):
        self.encoder = Encoder(size).to(device)
        self.optimizer = torch.optim.SGD(self.encoder.parameters(), lr=0.1)

    def round(self, x):
        self.optimizer.zero_grad()
        self.encoder(x).sum().backward()
        self.optimizer.step()

    def throughput(self, x, rounds):
        self.round(x)
        torch.cuda.synchronize()
        began = timeit.default_timer()
        for _ in range(rounds):
            self.round(x)
        seconds = timeit.default_timer() - began  # expect: TL802
        return len(x) * rounds / seconds
