"""Anomaly detection was turned on once and stayed."""

import torch
from torch import nn

torch.autograd.set_detect_anomaly(True)  # expect: TL418


def train(count):
    """How many operations of the last loss hold a stack trace, and whether it has one itself."""
    torch.manual_seed(0)
    net = nn.Linear(4, 1)
    for _ in range(count):
        loss = net(torch.randn(2, 4)).pow(2).mean()
        net.zero_grad()
        loss.backward()
    return {"traced": len(loss.grad_fn.metadata)}
