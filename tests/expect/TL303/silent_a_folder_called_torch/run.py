"""Trains, and evaluates by what stands elsewhere."""

import torch.nn.functional as F

from parts.torch.evaluating import evaluate


def train(model, optimizer, loader, held_out):
    for batch, labels in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(batch), labels).backward()
        optimizer.step()
    print(evaluate(model, held_out))
