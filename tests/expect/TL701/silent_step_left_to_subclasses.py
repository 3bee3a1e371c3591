"""The same, with gradients that a hook, a mixin beside the base class, or the context manager empties."""

import torch
import torch.nn.functional as F


class Loop:
    def prepare(self): ...

    def iterate(self, loader):
        for batch in loader:
            self.prepare()
            self.loss(batch).backward()
            self.apply()


class Supervised(Loop):
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def prepare(self):
        self.optimizer.zero_grad()

    def loss(self, batch):
        images, labels = batch
        return F.cross_entropy(self.model(images), labels)

    def apply(self):
        self.optimizer.step()


class Core:
    def iterate(self, loader):
        for batch in loader:
            self.empty()
            self.model(batch).sum().backward()
            self.optimizer.step()


class Empties:
    def empty(self):
        for each in [self.optimizer]:
            each.zero_grad()


class Summed(Empties, Core):
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


class Update:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def __enter__(self):
        self.optimizer.zero_grad()

    def __exit__(self, kind, *rest):
        if kind is None:
            self.optimizer.step()


def updating(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images, labels in loader:
        with Update(optimizer):
            F.cross_entropy(model(images), labels).backward()


def main(model, loader):
    Supervised(model).iterate(loader)
    Summed(model).iterate(loader)
    updating(model, loader)
