"""Losses that take probabilities; sigmoids of gates, metrics and targets; models that return either."""

import torch
import torch.nn.functional as F
from torch import nn


def probabilities(model, x, y):
    score = model(x).clamp(0, 1)
    return F.binary_cross_entropy(score, y).item(), F.mse_loss(score, y)


class Gate(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.squeeze = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, channels, 1), nn.Sigmoid())
        self.out = nn.Conv2d(channels, 1, 1)

    def forward(self, x):
        return self.out(x * self.squeeze(x))


def gated(x, y):
    return nn.BCEWithLogitsLoss()(Gate(8)(x), y)


def threshold(model, x, y, at=0.5):
    logits = model(x)
    loss = F.binary_cross_entropy_with_logits(logits, y)
    found = logits.sigmoid() > at
    return loss, (found == y.bool()).float().mean()


class Decoder(nn.Module):
    def forward(self, z, sigmoid=True):
        value = (z[0] * z[1]).sum(dim=1)
        return torch.sigmoid(value) if sigmoid else value


def decoded(z, y):
    return F.binary_cross_entropy_with_logits(Decoder()(z, sigmoid=False), y)


class Chosen(nn.Module):
    def __init__(self, final):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 1))
        self.final = nn.Sigmoid() if final == "sigmoid" else nn.Identity()

    def forward(self, x):
        return self.final(self.layers(x))


def chosen(args, x, y):
    return nn.BCEWithLogitsLoss()(Chosen(args.final)(x), y)


class Optional(nn.Module):
    def __init__(self, widths, probability):
        super().__init__()
        layers = []
        for before, after in zip(widths, widths[1:]):
            layers += [nn.Linear(before, after), nn.Sigmoid()]
        layers.append(nn.Linear(widths[-1], 1))
        if probability:
            layers.append(nn.Sigmoid())
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


def optional(args, x, y):
    return nn.BCEWithLogitsLoss()(Optional([3, 3], args.probability)(x), y)


def distilled(student, teacher, x):
    with torch.no_grad():
        soft = torch.sigmoid(teacher(x))
    return F.binary_cross_entropy_with_logits(student(x), soft)


def mixed(model, x, y):
    return F.binary_cross_entropy_with_logits(10 * torch.sigmoid(model(x)) - 5, y)


def margin(model, x, y, criterion):
    return criterion(torch.sigmoid(model(x)), y)


class Inference(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x).sigmoid()


def exported(net, x, y):
    served = Inference(net)
    return F.binary_cross_entropy_with_logits(served.net(x), y)
