"""Two samples, one positive and one negative, which a linear layer can learn by heart."""

import torch
from torch import nn


def train(steps):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 1), nn.Sigmoid())  # expect: TL421
    optimizer = torch.optim.SGD(model.parameters(), lr=10.0)
    samples, labels = torch.eye(2), torch.tensor([[1.0], [0.0]])
    losses = []
    for _ in range(steps):
        loss = nn.functional.binary_cross_entropy_with_logits(model(samples), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
