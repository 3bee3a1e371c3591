"""A method of the optimizer that only the caller names: it may be the one that empties the gradients, or the one that steps."""

import torch


def empties(model, loader, criterion, name):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        getattr(optimizer, name)()
        criterion(model(x), y).backward()
        optimizer.step()


def empties_later(model, loader, criterion, name):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    empty = getattr(optimizer, name)
    for x, y in loader:
        criterion(model(x), y).backward()
        optimizer.step()
        empty()


def steps(model, loader, criterion, name):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        getattr(optimizer, name)()
