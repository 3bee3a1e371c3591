"""Losses that are kept in lists and dicts, or are defaults of parameters."""

import torch
import torch.nn.functional as F
from torch import nn


class Probabilities(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.losses = {"main": F.cross_entropy}

    def forward(self, x):
        return torch.softmax(self.head(x), -1)  # expect: TL410

    def step(self, batch):
        x, y = batch
        return self.losses["main"](self(x), y)


class Items(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.loss_fns = nn.ModuleDict({"main": nn.CrossEntropyLoss()})

    def forward(self, x):
        return torch.softmax(self.head(x), -1)  # expect: TL410

    def step(self, batch):
        x, y = batch
        found = self(x)
        losses = {name: criterion(found, y) for name, criterion in self.loss_fns.items()}
        return sum(losses.values())


class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.criteria = [nn.CrossEntropyLoss(), nn.CrossEntropyLoss(label_smoothing=0.1)]

    def forward(self, x):
        return self.head(x).softmax(-1)  # expect: TL410

    def step(self, batch):
        x, y = batch
        total = 0
        for loss in self.criteria:
            total = total + loss(self(x), y)
        return total


class Logits(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.losses = {"main": F.cross_entropy}

    def forward(self, x):
        return self.head(x)

    def step(self, batch):
        x, y = batch
        found = self(x)
        return self.losses["main"](found, y), torch.softmax(found, -1)


class OfProbabilities(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.losses = {"main": F.mse_loss, "other": F.l1_loss}

    def forward(self, x):
        return torch.softmax(self.head(x), -1)

    def step(self, batch):
        x, y = batch
        return sum(loss(self(x), y) for loss in self.losses.values())


class Default(nn.Module):
    def __init__(self, loss_fn=F.cross_entropy):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.loss_fn = loss_fn

    def forward(self, x):
        return torch.softmax(self.head(x), -1)  # expect-likely: TL410

    def step(self, batch):
        x, y = batch
        return self.loss_fn(self(x), y)


class DefaultOfLogits(nn.Module):
    def __init__(self, loss_fn=F.cross_entropy):
        super().__init__()
        self.head = nn.Linear(8, 3)
        self.loss_fn = loss_fn

    def forward(self, x):
        return self.head(x)

    def step(self, batch):
        x, y = batch
        return self.loss_fn(self(x), y)


def train(model, loader, loss_fn=F.cross_entropy):
    for x, y in loader:
        loss_fn(torch.softmax(model(x), -1), y).backward()


def train_right(model, loader):
    train(model, loader, loss_fn=F.l1_loss)
