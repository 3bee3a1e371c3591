"""A correct program whose sigmoid never saturates: its repair must give the same losses."""

import torch
from torch import nn


def train(steps):
    torch.manual_seed(0)
    layer = nn.Linear(8, 4)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    samples, labels, weights = torch.randn(32, 8), (torch.randn(32, 4) > 0).float(), torch.rand(4)
    losses = []
    for _ in range(steps):
        logits = layer(samples)
        scores = torch.sigmoid(logits)
        loss = nn.functional.binary_cross_entropy(scores, labels, weight=weights)  # expect: TL409
        loss = loss + 0.1 * nn.functional.binary_cross_entropy(torch.sigmoid(layer(samples / 2)), labels)  # expect: TL409
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
