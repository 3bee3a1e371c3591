"""The model is taken out of its wrapper where the trainer is constructed, for its checkpoints."""

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def plain(model):
    return model.module


class Trainer:
    def __init__(self, net, criterion, optimizer, rank):
        self.model = DDP(net.to(rank), device_ids=[rank])
        self.inner = self.model.module
        self.criterion, self.optimizer = criterion, optimizer

    def step(self, x, y):
        self.optimizer.zero_grad()
        self.criterion(self.inner(x), y).backward()  # expect: TL117
        self.optimizer.step()

    def step_of_all(self, x, y):
        self.optimizer.zero_grad()
        self.criterion(self.model(x), y).backward()
        self.optimizer.step()
        return self.inner.state_dict()

    def step_of_each(self, x, y):
        self.optimizer.zero_grad()
        self.criterion(plain(self.model)(x), y).backward()  # expect: TL117
        self.optimizer.step()

    @torch.no_grad()
    def evaluate(self, x):
        return self.inner(x)
