"""A gradient of 1 is multiplied by 65536, and the optimizer steps by itself."""

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
        optimizer.step()  # expect: TL403
    return layer
