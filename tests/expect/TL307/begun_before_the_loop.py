"""Language models whose state begins anew with each epoch, and goes on from batch to batch with its graph."""

import torch
from torch import nn


class Runner:
    def __init__(self, model, criterion, optimizer):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.hidden = None

    def train_epoch(self, batches):
        self.model.train()
        self.hidden = self.model.init_hidden(20)
        for data, targets in batches:
            output, self.hidden = self.model(data, self.hidden)  # expect: TL307
            loss = self.criterion(output, targets)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


class Tagger(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.rnn = nn.GRU(width, width)
        self.state = None

    def update(self, loss, optimizer):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    def fit(self, epochs, loader, optimizer):
        for _ in range(epochs):
            self.state = torch.zeros(1, 8, 16)
            for x, y in loader:
                out, self.state = self.rnn(x, self.state)  # expect: TL307
                self.update((out - y).square().mean(), optimizer)


def main(model, batches, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=20)
    Runner(model, nn.CrossEntropyLoss(), optimizer).train_epoch(batches)
    Tagger(16).fit(3, loader, optimizer)
