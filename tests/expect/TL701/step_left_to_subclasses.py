"""A base class whose loop calls what only its subclass has; a context manager that steps when it is left."""

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

    def loss(self, batch):
        images, labels = batch
        return F.cross_entropy(self.model(images), labels)

    def apply(self):
        self.optimizer.step()  # expect: TL701


class Update:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        if kind is None:
            self.optimizer.step()  # expect: TL701


def updating(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for images, labels in loader:
        with Update(optimizer):
            F.cross_entropy(model(images), labels).backward()


def main(model, loader):
    Supervised(model).iterate(loader)
    updating(model, loader)
