"""The log of a step is an object of its own class, a dict that can be added to another."""

from collections import defaultdict

import torch


class Numbers(defaultdict):
    def __init__(self):
        super().__init__(int)

    def __add__(self, other):
        total = Numbers()
        for name, value in self.items():
            total[name] = value
        for name, value in other.items():
            total[name] = total[name] + value
        return total

    def __mul__(self, factor):
        scaled = Numbers()
        for name, value in self.items():
            scaled[name] = value * factor
        return scaled


def losses(model, batch, training):
    with torch.set_grad_enabled(training):
        near, far = model(batch)
        loss = near + 0.1 * far
    log = Numbers()
    log["frames"] = len(batch)
    log["near"] = near.detach().cpu().item()
    log["far"] = far
    return loss, log


def finished(model, batch):
    near, far = model(batch)
    loss = near + 0.1 * far
    log = Numbers()
    log["near"] = near.item()
    log["far"] = far.detach()
    return loss, log


def train(model, optimizer, loader, interval):
    total = Numbers()
    for batch in loader:
        loss, log = losses(model, batch, training=True)
        total = (total * (1 - 1 / interval)) + log  # expect: TL302
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return total


def train_cleanly(model, optimizer, loader):
    total, sums = Numbers(), 0
    for batch in loader:
        loss, log = finished(model, batch)
        total = total + log
        sums = sums + log["far"]
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return total, sums


def validate(model, loader):
    total = Numbers()
    with torch.no_grad():
        for batch in loader:
            _, log = losses(model, batch, training=False)
            total = total + log
    return total
