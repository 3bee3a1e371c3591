"""What an object is called for is a context manager."""

from contextlib import contextmanager

import torch
from torch import nn


class Precision:
    def __init__(self, dtype=torch.bfloat16):
        self.dtype = dtype

    @contextmanager
    def __call__(self):
        with torch.autocast("cuda", dtype=self.dtype):
            yield


class Task:
    def __init__(self, model):
        self.model = model
        self.precision = Precision()
        self.optimizer = torch.optim.AdamW(model.parameters())

    def loss(self, batch):
        return nn.functional.cross_entropy(self.model(batch[0]), batch[1])

    def optimize(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def train_step(self, batch):
        with self.precision():
            loss = self.loss(batch)
        self.optimize(loss)
        return loss.detach()


def train(model, loader):
    task = Task(model)
    for batch in loader:
        task.train_step(batch)
