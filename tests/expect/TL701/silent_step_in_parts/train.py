"""Emptied by an object, in a finally, by a callback, in a function that the loop is handed, at the end of each window."""

import torch
from optimizers import Averager, Optimizers


def muons_and_adam(model, loader):
    optimizers = Optimizers(torch.optim.SGD(model.body.parameters(), 0.1), torch.optim.Adam(model.head.parameters()))
    for x in loader:
        model(x).backward()
        optimizers.step()
        optimizers.zero_grad()


def averaged(model, loader, optimizer):
    averager = Averager(model)
    for x in loader:
        averager.empty()
        model(x).backward()
        optimizer.step()


def whatever_happens(model, loader, optimizer):
    for x in loader:
        try:
            model(x).backward()
            optimizer.step()
        finally:
            optimizer.zero_grad()


def by_its_model(model, loader, optimizer):
    for x in loader:
        for part in (model.body, model.head):
            part.zero_grad()
        model(x).backward()
        optimizer.step()


def at_the_end_of_a_window(model, loader, optimizer, every):
    for number, x in enumerate(loader):
        (model(x) / every).backward()
        if (number + 1) % every:
            continue
        optimizer.step()
        optimizer.zero_grad()


def from_outside(model, batches, optimizer):
    """No old gradients: they are computed and set in one go."""
    weights = list(model.parameters())
    for x in batches:
        for weight, gradient in zip(weights, torch.autograd.grad(model(x), weights)):
            weight.grad = gradient
        optimizer.step()
