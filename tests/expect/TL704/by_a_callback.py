"""An object that validates, kept by the trainer and called with it."""

import torch
from torch import nn


class Validate:
    def __init__(self, loader):
        self.loader = loader

    def __call__(self, trainer):
        right = 0
        with torch.no_grad():
            for images, labels in self.loader:
                right += (trainer.model(images).argmax(-1) == labels).sum().item()  # expect: TL704
        print(right)


class Trainer:
    def __init__(self, callbacks):
        self.model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.2), nn.Linear(8, 2))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.callbacks = callbacks

    def fit(self, loader, epochs):
        for _ in range(epochs):
            self.model.train()
            for images, labels in loader:
                self.optimizer.zero_grad()
                nn.functional.cross_entropy(self.model(images), labels).backward()
                self.optimizer.step()
            for callback in self.callbacks:
                callback(self)


def main(loader, held_out):
    Trainer([Validate(held_out)]).fit(loader, 3)
