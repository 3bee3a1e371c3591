"""The logarithm is taken: by the layer, by hand, by a loss of the project."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 32, 3)
        self.fc = nn.Linear(32, 10)

    def forward(self, x):
        x = self.fc(F.relu(self.conv(x)).mean(dim=(2, 3)))
        return F.log_softmax(x, dim=1)


def train(loader):
    model = Net()
    for data, target in loader:
        F.nll_loss(model(data), target).backward()


def ensemble(models, x, y):
    mean = sum(F.softmax(model(x), dim=1) for model in models) / len(models)
    return F.nll_loss(mean.clamp_min(1e-8).log(), y)


def by_hand(model, x, y):
    probabilities = F.softmax(model(x), dim=1)
    return nn.NLLLoss()(torch.log(probabilities), y)  # trainlint: ignore[TL411]


def negated(policy, state, action, reward):
    """Policy gradients weigh probabilities as they like."""
    probabilities = F.softmax(policy(state), dim=-1)
    return -(probabilities.gather(1, action) * reward).mean()


def unknown(model, x, y):
    return F.nll_loss(model(x), y)
