"""Sigmoids at the end of a gate, outside of training, for a score, for another loss of the same logits."""

import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn


class Segmenter(nn.Module):
    """Probabilities only when it is used."""

    def __init__(self):
        super().__init__()
        self.out = nn.Conv2d(3, 1, 1)

    def forward(self, x):
        x = self.out(x)
        if not self.training:
            x = torch.sigmoid(x)
        return x


def masks(loader, optimizer):
    net = Segmenter()
    net.train()
    for x, y in loader:
        optimizer.zero_grad()
        F.binary_cross_entropy_with_logits(net(x), y).backward()
        optimizer.step()


class Tagger(pl.LightningModule):
    """`predict` is for those who use it; the step takes the logits."""

    def __init__(self, width, labels):
        super().__init__()
        self.head = nn.Linear(width, labels)
        self.loss = nn.BCEWithLogitsLoss()

    def forward(self, x):
        return self.head(x)

    def predict(self, x):
        return torch.sigmoid(self(x))

    def training_step(self, batch, index):
        x, y = batch
        logits = self(x)
        self.log("hits", ((logits.sigmoid() > 0.5) == y.bool()).float().mean())
        return self.loss(logits, y)


def focal(logits, targets, alpha=0.25, gamma=2.0):
    """The probability weighs the loss of the logits."""
    probability = torch.sigmoid(logits)
    loss = F.binary_cross_entropy_with_logits(logits, targets, reduction="none")
    right = probability * targets + (1 - probability) * (1 - targets)
    return (alpha * (1 - right) ** gamma * loss).mean()


def two_terms(model, x, y):
    logits = model(x)
    probability = logits.sigmoid()
    dice = 1 - 2 * (probability * y).sum() / (probability.sum() + y.sum())
    return F.binary_cross_entropy_with_logits(logits, y) + dice


class Refined(nn.Module):
    """The gate is the last layer that runs, and not what is returned."""

    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv2d(width, 1, 1)
        self.gate = nn.Sequential(nn.Conv2d(1, 1, 3, padding=1), nn.Sigmoid())

    def forward(self, x):
        x = self.conv(x)
        return x + x * self.gate(x)


def refined(x, y):
    return nn.BCEWithLogitsLoss()(Refined(8)(x), y)
