"""The exponential of a log-softmax is a softmax, wherever the one and the other stand."""

from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn


def by_function(model, images, labels):
    return F.cross_entropy(torch.exp(F.log_softmax(model(images), dim=1)), labels)  # expect: TL410


def by_method(model, images, labels):
    probabilities = model(images).log_softmax(-1).exp()
    return F.cross_entropy(probabilities.view(-1, 10), labels)  # expect: TL410


class Candidates(nn.Module):
    """Scores candidates; the probabilities are returned, and compared."""

    def __init__(self, size):
        super().__init__()
        self.score = nn.Linear(size, 1)
        self.log_softmax = nn.LogSoftmax(dim=0)

    def forward(self, features, groups, target=None):
        scores = self.score(features)
        best = torch.zeros(len(groups))
        for number, rows in enumerate(groups.values()):
            if rows:
                best[number] = torch.max(scores[rows])
        masked = torch.exp(self.log_softmax(best))
        if target is not None:
            loss_fct = nn.CrossEntropyLoss()
            return masked, loss_fct(masked.view(-1, len(groups)), target)  # expect: TL410
        return masked


class Normalized(nn.Module):
    def __init__(self, size, classes):
        super().__init__()
        self.layers = nn.Sequential(OrderedDict([("linear", nn.Linear(size, classes)), ("out", nn.LogSoftmax(dim=-1))]))

    def forward(self, x):
        return torch.exp(self.layers(x))  # expect: TL410


def trained(size, loader):
    model, criterion = Normalized(size, 10), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()


def logarithms(model, images, labels):
    logs = F.log_softmax(model(images), dim=1)
    confidence = logs.exp().max(dim=1).values
    return F.cross_entropy(logs, labels), confidence


def other_exponentials(model, images, labels):
    return F.cross_entropy(torch.exp(model(images)), labels) + F.cross_entropy(
        torch.exp(-F.log_softmax(model(images), 1)), labels
    )


def one_of_two(model, images, labels, normalize):
    scores = F.log_softmax(model(images), dim=1) if normalize else model(images)
    return F.cross_entropy(torch.exp(scores), labels)
