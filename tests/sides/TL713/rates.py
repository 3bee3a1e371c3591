"""Dropout by function, in a module: whether it is told the mode, what it drops, and under which test and name."""

import torch
import torch.nn.functional as F
from torch import nn


class Untold(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5)  # expect: TL713


class UntoldByDefault(nn.Module):
    def forward(self, x):
        return F.dropout(x)  # expect: TL713


class UntoldByKeyword(nn.Module):
    def forward(self, x):
        return F.dropout(x, p=0.5)  # expect: TL713


class UntoldOfASetting(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return F.dropout2d(x, self.rate)  # expect: TL713


class ToldByPosition(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, self.training)


class ToldByKeyword(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, training=self.training)


class ToldByOthers(nn.Module):
    def forward(self, x, **options):
        return F.dropout(x, 0.5, **options)


class OfNothing(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.0)


class OfNothingByKeyword(nn.Module):
    def forward(self, x):
        return F.dropout(x, p=0)


class OfARateThatAsks(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 0.5

    def forward(self, x):
        return F.dropout(x, self.rate if self.training else 0.0)


class OfARateThatAsksByKeyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate = 0.5

    def forward(self, x):
        return F.dropout(x, p=self.rate * self.training)


class UnderATest(nn.Module):
    def forward(self, x):
        if self.training:
            x = F.dropout(x, 0.5)
        return x


class UnderATestOfAParameter(nn.Module):
    def forward(self, x, is_train):
        if is_train:
            x = F.dropout(x, 0.5)
        return x


class UnderATestOfSomethingElse(nn.Module):
    def forward(self, x, deep):
        if deep:
            x = F.dropout(x, 0.5)
        return x


class UnderATestOfItsWidth(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.deep = deep

    def forward(self, x):
        if self.deep:
            x = F.dropout(x, 0.5)  # expect: TL713
        return x


class BehindATest(nn.Module):
    def forward(self, x):
        if not self.training:
            return x
        return F.dropout(x, 0.5)


class MonteCarlo(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5)  # expect: TL713


class Named(nn.Module):
    def prenet(self, x):
        return F.dropout(x, 0.5)  # expect: TL713

    def body(self, x):
        return F.dropout(x, 0.5)  # expect: TL713


class NoModule:
    def augment(self, x):
        return F.dropout(x, 0.5)


class Static(nn.Module):
    @staticmethod
    def noise(x):
        return F.dropout(x, 0.5)


class ByTorch(nn.Module):
    def forward(self, x):
        return torch.dropout(x, 0.5, True)


def augment(x):
    return F.dropout(x, 0.5)


def train(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
