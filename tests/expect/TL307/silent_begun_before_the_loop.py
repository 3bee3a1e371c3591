"""States that begin anew before a loop: its rounds cut the graph off, begin anew themselves, or have one backward pass for all."""

import torch
from torch import nn


class Sequence:
    """One backward pass for all rounds: that is what the graph is for."""

    def __init__(self, cell, optimizer):
        self.cell = cell
        self.optimizer = optimizer
        self.h = None

    def step(self, frames, target):
        self.h = torch.zeros(8, 16)
        for frame in frames:
            self.h = self.cell(frame, self.h)
        loss = (self.h - target).square().mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Truncated:
    def __init__(self, model, criterion, optimizer):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.hidden = None

    def train_epoch(self, batches):
        self.hidden = self.model.init_hidden(20)
        for data, targets in batches:
            output, self.hidden = self.model(data, self.hidden)
            loss = self.criterion(output, targets)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.hidden = tuple(part.detach() for part in self.hidden)


class Each:
    def __init__(self, model, criterion, optimizer):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.hidden = None

    def train_epoch(self, batches):
        for data, targets in batches:
            self.hidden = self.model.init_hidden(20)
            output, self.hidden = self.model(data, self.hidden)
            loss = self.criterion(output, targets)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def main(model, batches, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=20)
    Truncated(model, nn.CrossEntropyLoss(), optimizer).train_epoch(batches)
    Each(model, nn.CrossEntropyLoss(), optimizer).train_epoch(batches)
    Sequence(nn.GRUCell(16, 16), optimizer).step(loader, batches)
