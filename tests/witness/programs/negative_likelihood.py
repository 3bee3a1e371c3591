"""Three classes of which the layer begins by being certain, and wrong."""

import torch
from torch import nn


def train(steps):
    torch.manual_seed(0)
    layer = nn.Linear(3, 3, bias=False)
    nn.init.constant_(layer.weight, 0.0)
    with torch.no_grad():
        layer.weight += 30 * torch.roll(torch.eye(3), 1, 0)
    optimizer = torch.optim.SGD(layer.parameters(), lr=10.0)
    samples, labels = torch.eye(3), torch.arange(3)
    losses = []
    for _ in range(steps):
        loss = nn.functional.nll_loss(nn.functional.softmax(layer(samples), dim=1), labels)  # expect: TL416
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
