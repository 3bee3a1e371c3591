"""A rank that finds its loss broken raises, and the job ends: who goes on has counted the step, as all others have."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, network, optimizer, every):
        self.model = DistributedDataParallel(network)
        self.optimizer, self.every = optimizer, every
        self.done = 0

    def step(self, inputs, targets):
        loss = torch.nn.functional.mse_loss(self.model(inputs), targets)
        if loss.isnan().any().item():
            raise RuntimeError("the loss is not a number")
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.done += 1

    def run(self, loader, evaluate):
        for inputs, targets in loader:
            self.step(inputs, targets)
            if self.done % self.every != 0:
                continue
            dist.all_reduce(evaluate(self.model))
