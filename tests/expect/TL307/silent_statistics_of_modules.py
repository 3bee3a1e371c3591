"""Buffers that get what is detached, what has no graph, or what is computed where none is recorded."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.scale = nn.Parameter(torch.ones(features))
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("last", torch.zeros(features))

    def forward(self, inputs):
        mean = inputs.mean(0)
        if self.training:
            self.running_mean.mul_(1 - self.momentum).add_(mean.detach() * self.momentum)
            with torch.no_grad():
                self.last.copy_(mean)
        return self.scale * (inputs - mean)


class Observed(nn.Module):
    """No weights: what it is given is data."""

    def __init__(self, size):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))

    def forward(self, x):
        if self.training:
            self.mean += 0.1 * (x.mean(0) - self.mean)
        return x - self.mean


class Momentum(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.query, self.key = nn.Linear(size, size), nn.Linear(size, size)
        self.register_buffer("queue", torch.zeros(16, size))
        self.register_buffer("counts", torch.zeros(16))

    @torch.no_grad()
    def enqueue(self, keys):
        self.queue[: len(keys)] = keys

    def forward(self, x):
        q = self.query(x)
        with torch.no_grad():
            k = self.key(x)
        logits = q @ self.queue.t()
        self.queue[: len(x)] = k
        self.counts += logits.argmax(0).bincount(minlength=16)
        self.counts.data.mul_(0.9).add_(logits.sum(0))
        self.enqueue(k)
        return logits


class Codebook(nn.Module):
    def __init__(self, size, codes):
        super().__init__()
        self.proj = nn.Linear(size, size)
        self.register_buffer("used", torch.zeros(codes))
        self.register_buffer("cache", torch.zeros(size), persistent=False)

    def forward(self, x):
        x = self.proj(x)
        nearest = x.argmax(-1)
        self.used.lerp_(torch.nn.functional.one_hot(nearest, len(self.used)).float().mean(0), 0.1)
        self.cache = x
        return x


class Recurrent(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.cell = nn.Linear(size, size)
        self.register_buffer("state", torch.zeros(size))

    def forward(self, x):
        self.state = self.state + self.cell(x)
        return self.state

    def step_done(self):
        self.state = self.state.detach()
