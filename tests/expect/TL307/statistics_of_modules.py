"""Buffers to which a forward pass adds its graph."""

import torch
import torch.nn.functional as F
from torch import nn


class Norm(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.scale = nn.Parameter(torch.ones(features))
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, inputs):
        mean = inputs.mean(0)
        if self.training:
            self.running_mean.mul_(1 - self.momentum).add_(mean * self.momentum)  # expect-likely: TL307
            self.seen += len(inputs)
        return self.scale * (inputs - mean)


class Rebound(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.layer = nn.Linear(features, features)
        self.register_buffer("average", torch.zeros(features))

    def forward(self, x):
        hidden = self.layer(x)
        self.average = 0.9 * self.average + 0.1 * hidden.mean(0)  # expect: TL307
        return hidden - self.average


class Copied(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features, features))
        self.register_buffer("sigma", torch.ones(1))
        self.register_buffer("u", torch.randn(features))

    def normalized(self):
        sigma = torch.norm(self.weight)
        self.sigma.copy_(sigma)  # expect: TL307
        return self.weight / sigma

    def forward(self, x):
        return F.linear(x, self.normalized())


class InPlaces(nn.Module):
    def __init__(self, encoder: nn.Linear, size):
        super().__init__()
        self.encoder = nn.Sequential(encoder, nn.ReLU())
        self.register_buffer("center", torch.zeros(size))
        self.register_buffer("queue", torch.zeros(16, size))
        self.register_buffer("peak", torch.zeros(size))

    def forward(self, x):
        features = self.encoder(x)
        self.center.lerp_(features.mean(0), 0.1)  # expect: TL307
        self.queue[: len(x)] = features  # expect: TL307
        self.peak = torch.max(self.peak, features.max(0)[0])  # expect: TL307
        return features - self.center


class Added(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.proj = nn.Linear(size, size)
        self.register_buffer("load", torch.zeros(size))

    def update(self, scores):
        self.load += scores.sum(0)

    def forward(self, x):
        scores = self.proj(x).softmax(-1)
        self.load += scores.sum(0)  # expect: TL307
        return scores
