"""Losses and features with logarithms and exponentials."""

import torch
from torch import nn
from torch.nn import functional as F


class Layer(nn.Linear):
    """Of a network that learns without a backward pass through it."""

    def __init__(self, width, threshold):
        super().__init__(width, width)
        self.threshold = threshold

    def train_step(self, good, bad):
        good, bad = self.forward(good).pow(2).mean(1), self.forward(bad).pow(2).mean(1)
        loss = torch.log(1 + torch.exp(torch.cat([-good + self.threshold, bad - self.threshold]))).mean()  # expect: TL417
        loss.backward()
        return loss


def compressed(waves):
    waves = waves.abs()
    waves = waves + 1
    return waves.log()  # expect: TL417


class Durations(nn.Module):
    def forward(self, logarithms, factor):
        return torch.clamp(torch.round((torch.exp(logarithms) - 1.0) * factor), min=0)  # expect: TL417


def pitch(table):
    return torch.sign(table) * torch.log(1.0 + table.abs())  # expect: TL417


def multilabel(scores, labels):
    positive = torch.log(torch.exp(scores * labels).sum(1))  # expect: TL417
    return positive.mean() + F.mse_loss(scores, labels)


def stable_already(scores, targets):
    below = -scores.abs()
    kept = torch.log(1 + torch.exp(-1.0 * torch.abs(scores)))  # expect: TL417
    return scores.clamp(min=0) - scores * targets + (1 + below.exp()).log() + kept  # expect: TL417
