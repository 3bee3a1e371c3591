"""Whether the graph is kept is said by who constructs the trainer."""

import torch
from torch import nn


class Trainer:
    def __init__(self, keep):
        self.keep = keep
        self.model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, loader):
        for images, labels in loader:
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(images), labels)
            loss.backward(retain_graph=self.keep)  # expect: TL304
            self.optimizer.step()


class Either:
    def __init__(self, keep):
        self.keep = keep
        self.model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def fit(self, loader):
        for images, labels in loader:
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(images), labels)
            loss.backward(retain_graph=self.keep)
            self.optimizer.step()


def main(loader, keep):
    Trainer(True).fit(loader)
    Either(keep).fit(loader)
