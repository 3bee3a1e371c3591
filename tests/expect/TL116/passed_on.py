"""The wrapper is an option of the trainer, and a function says which there is."""

import torch
from torch import nn


def wrapper():
    return nn.DataParallel


class Trainer:
    def __init__(self, model, optimizer, wrap):
        self.model, self.optimizer = wrapper()(model), optimizer  # expect: TL116
        self.teacher = wrap(model)

    def step(self, x):
        self.optimizer.zero_grad()
        (self.model(x) - self.teacher(x)).sum().backward()
        self.optimizer.step()


class Other:
    wrap = torch.nn.parallel.DistributedDataParallel

    def __init__(self, model, optimizer):
        self.model, self.optimizer = self.wrap(model), optimizer

    def step(self, x):
        self.optimizer.zero_grad()
        self.model(x).sum().backward()
        self.optimizer.step()
