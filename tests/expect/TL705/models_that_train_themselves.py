"""Models with a loop of their own: what is trained is the object itself, in a method that computes the loss."""

import torch
from torch import nn


class Ranker(nn.Module):
    """What it computes is written in classes that are derived from it."""

    def compile(self, optimizer, loss_fn, every):
        self.optimizer, self.loss_fn, self.every = optimizer, loss_fn, every

    def fit(self, loader, held_out, epochs):
        self.held_out = held_out
        for _ in range(epochs):
            self.train_one_epoch(loader)

    def train_one_epoch(self, loader):
        self.train()
        for number, batch in enumerate(loader):
            self.optimizer.zero_grad()
            loss = self.total_loss(batch)
            loss.backward()
            self.optimizer.step()
            self.on_batch_end(number)

    def total_loss(self, batch):
        return self.loss_fn(self.forward(batch), batch["label"])

    def on_batch_end(self, number):
        if (number + 1) % self.every == 0:
            self.evaluate(self.held_out)

    def evaluate(self, loader):
        self.eval()  # expect: TL705
        with torch.no_grad():
            return [self.forward(batch).cpu() for batch in loader]


class Tagger(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.Dropout(0.5))

    def forward(self, batch):
        return self.layers(batch)

    def loss(self, batch, labels):
        return nn.functional.cross_entropy(self(batch), labels)

    def accuracy(self, loader):
        self.eval()  # expect: TL705
        right = 0
        with torch.no_grad():
            for batch, labels in loader:
                right += (self(batch).argmax(-1) == labels).sum().item()
        return right

    def fit(self, loader, held_out, optimizer, epochs):
        self.train()
        for _ in range(epochs):
            for batch, labels in loader:
                optimizer.zero_grad()
                self.loss(batch, labels).backward()
                optimizer.step()
            print(self.accuracy(held_out))
