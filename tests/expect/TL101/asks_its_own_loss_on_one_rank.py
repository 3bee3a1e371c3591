"""A test on a loss of its own in a function that rank 0 alone calls: that call is the mistake, and another rule reports it."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, network, criterion, optimizer):
        self.model = DistributedDataParallel(network)
        self.criterion = criterion
        self.optimizer = optimizer
        self.best = float("inf")

    def keep(self, loss):
        if loss < self.best:
            self.best = loss
            dist.all_reduce(torch.ones(1))

    def finish(self, loss):
        print("loss", loss)
        self.keep(loss)

    def fit(self, loader):
        for inputs, targets in loader:
            loss = self.criterion(self.model(inputs), targets)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()
            if dist.get_rank() == 0:
                self.finish(loss.item())  # expect: TL101
