"""A small regression; the losses of a pass are collected, to print their mean."""

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
    losses = []
    for samples, sums in batches(count):
        loss = nn.functional.mse_loss(net(samples), sums)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301
    return torch.stack(losses).mean().item()


def train_and_watch(count):
    net = build()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    errors = []
    for samples, sums in batches(count):
        differences = net(samples) - sums
        loss = differences.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        errors.append(differences.abs().mean())  # expect: TL301
    return torch.stack(errors).mean().item()
