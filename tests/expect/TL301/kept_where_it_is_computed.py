"""The function that computes the loss keeps it; the backward pass is its caller's."""

import torch
import torch.nn.functional as F
from torch import nn


class Network(nn.Module):
    """A model that returns its loss."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.history, self.average, self.numbers = [], 0, []

    def forward(self, x, y):
        loss = F.mse_loss(self.layer(x), y)
        self.history.append(loss)  # expect: TL301
        self.average = 0.9 * self.average + 0.1 * loss  # expect: TL302
        self.numbers.append(loss.detach())
        return loss


def train(loader):
    network = Network()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for x, y in loader:
        loss = network(x, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Fitter:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.seen, self.checked, self.scores, self.recent = [], [], [], []

    def loss_of(self, batch, keep=False):
        scores, loss = self.model(batch)
        self.seen.append(loss)  # expect: TL301
        self.scores.append(scores)
        if keep:
            self.checked.append(loss)
        self.recent = []
        self.recent.append(loss)
        return scores.argmax(), loss

    def fit(self, loader):
        for batch in loader:
            _, loss = self.loss_of(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


class Collecting(nn.Module):
    """What is kept is what the trainer needs, and it takes it away."""

    def __init__(self):
        super().__init__()
        self.layer, self.parts, self.latest, self.sizes = nn.Linear(3, 3), [], None, []

    def forward(self, x, y):
        loss = F.mse_loss(self.layer(x), y)
        self.parts.append(loss)
        self.latest = loss
        self.sizes.append(len(x))
        return loss


def train_on_parts(loader, optimizer):
    network = Collecting()
    for x, y in loader:
        loss = network(x, y)
        loss = loss + sum(network.parts[:-1])
        network.parts.clear()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


class Looking(nn.Module):
    """No gradients are computed of it."""

    def __init__(self):
        super().__init__()
        self.layer, self.history = nn.Linear(3, 3), []

    def forward(self, x, y):
        loss = F.mse_loss(self.layer(x), y)
        self.history.append(loss)
        return loss


def look(loader):
    network = Looking()
    with torch.no_grad():
        return [network(x, y).item() for x, y in loader]


class Once(nn.Module):
    """It is called once."""

    def __init__(self):
        super().__init__()
        self.layer, self.history = nn.Linear(3, 3), []

    def forward(self, x, y):
        loss = F.mse_loss(self.layer(x), y)
        self.history.append(loss)
        return loss


def once(x, y):
    loss = Once()(x, y)
    loss.backward()
