import functools

import torch
from torch import nn


def make_step(model, optimizer, criterion):
    total = torch.zeros(())
    count = 0

    def step(batch):
        nonlocal total, count
        x, y = batch
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total = total + loss  # expect: TL302
        count += 1
        return loss.item()

    def mean():
        return (total / count).item()

    return step, mean


def train(model, loader, lr=1e-3):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    step, mean = make_step(model, optimizer, nn.MSELoss())
    for batch in loader:
        step(batch)
    print(mean())
