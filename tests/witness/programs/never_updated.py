"""A scaler that steps twice and is not updated in between."""

import torch
from torch import nn


def train(steps):
    layer = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(layer.weight)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.125)
    scaler = torch.amp.GradScaler("cpu")
    for _ in range(steps):
        optimizer.zero_grad()
        loss = layer(torch.ones(1, 1)).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # expect: TL404
    return layer
