"""Several modules are made, the constructor takes one out, and the others are dropped with the dict; or a method runs them all."""

from torch import nn
from torchvision import models


class Encoder(nn.Module):
    def __init__(self, base):
        super().__init__()
        self._known = {"resnet18": models.resnet18(), "resnet50": models.resnet50()}
        network = self._known[base]
        self._features = nn.Sequential(*list(network.children())[:-1])

    def forward(self, x):
        return self._features(x)


class Chosen(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.bases = {"small": models.resnet18(), "large": models.resnet50()}
        self.body = self._body(base)

    def _body(self, name):
        return nn.Sequential(*list(self.bases[name].children())[:-1])

    def forward(self, x):
        return self.body(x)


class Experts(nn.Module):
    def __init__(self, first):
        super().__init__()
        self.experts = {"a": nn.Linear(4, 4), "b": nn.Linear(4, 4)}  # expect: TL714
        self.first = nn.Sequential(self.experts[first])

    def forward(self, x, name):
        return self.first(x) + self.experts[name](x)
