"""A rank that skips a step counts one less than the others, and comes to the collective a step later than they do."""

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
        loss.backward()
        if loss.isnan().any().item():
            self.optimizer.zero_grad()
            return
        self.optimizer.step()
        self.done += 1

    def run(self, loader, evaluate):
        for inputs, targets in loader:
            self.step(inputs, targets)
            if self.done % self.every != 0:
                continue
            dist.all_reduce(evaluate(self.model))  # expect: TL103
