"""A small regression; the losses of a pass are added up, to print their mean."""

import torch
from torch import nn


def build():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))


def batches(count):
    for _ in range(count):
        samples = torch.randn(4, 8)
        yield samples, samples.sum(1, keepdim=True)


def train(count):
    net = build()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    total = 0.0
    for samples, sums in batches(count):
        loss = nn.functional.mse_loss(net(samples), sums)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss  # expect: TL302
    return float(total) / count


def train_and_watch(count):
    net = build()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    error = torch.zeros(())
    for samples, sums in batches(count):
        differences = net(samples) - sums
        loss = differences.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        error += differences.abs().mean()  # expect: TL302
    return float(error) / count
