"""Models with a loop of their own that put themselves back, or that label data in evaluation mode without gradients."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.Dropout(0.5))

    def forward(self, batch):
        return self.layers(batch)

    def loss(self, batch, labels):
        return nn.functional.cross_entropy(self(batch), labels)

    def accuracy(self, loader):
        self.eval()
        with torch.no_grad():
            right = sum((self(batch).argmax(-1) == labels).sum().item() for batch, labels in loader)
        self.train()
        return right

    @torch.no_grad()
    def label(self, batch):
        return self(batch).argmax(-1)

    def also_label(self, batch):
        with torch.no_grad():
            return self(batch).argmax(-1)

    def fit(self, loader, held_out, optimizer, epochs):
        self.train()
        for _ in range(epochs):
            for batch, labels in loader:
                optimizer.zero_grad()
                self.loss(batch, labels).backward()
                optimizer.step()
            print(self.accuracy(held_out))

    def fit_to_own_labels(self, loader, optimizer, epochs):
        for _ in range(epochs):
            for batch in loader:
                self.eval()
                labels = self.label(batch)
                more = self.also_label(batch.flip(0))
                self.train()
                optimizer.zero_grad()
                (self.loss(batch, labels) + self.loss(batch.flip(0), more)).backward()
                optimizer.step()
