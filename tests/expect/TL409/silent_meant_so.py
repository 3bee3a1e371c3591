"""Losses that are only measured, and other ends."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def tested(model, loader, loss_fn=nn.BCELoss()):
    model.eval()
    scores, labels = [], []
    with torch.no_grad():
        for x, y in loader:
            scores.append(model(x))
            labels.append(y)
        probabilities = torch.sigmoid(torch.cat(scores)).float()
        return loss_fn(probabilities, torch.cat(labels)).item()


def clamped(model, x, y):
    return F.binary_cross_entropy(torch.sigmoid(model(x)).clamp(1e-6, 1 - 1e-6), y)
