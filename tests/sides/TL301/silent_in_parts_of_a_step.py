"""Losses of the parts of one batch: the list is gone when the step is made, or the step is made of it."""

import torch
import torch.nn.functional as F


def micro_batches(model, loader, optimizer, parts):
    for x, y in loader:
        losses = []
        optimizer.zero_grad()
        for a, b in zip(x.chunk(parts), y.chunk(parts)):
            loss = F.cross_entropy(model(a), b) / parts
            loss.backward()
            losses.append(loss)
        optimizer.step()
        print(sum(losses).item())


def heads(model, loader, optimizer, heads):
    for x, y in loader:
        losses = []
        features = model(x)
        for head in heads:
            losses.append(F.cross_entropy(head(features), y))
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()
        optimizer.step()


def backward_of_the_sum(model, batches, optimizer):
    total = []
    for x, y in batches:
        total.append(F.cross_entropy(model(x), y))
    optimizer.zero_grad()
    sum(total).backward()
    optimizer.step()
