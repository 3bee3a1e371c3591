"""The loop."""

import torch
from optimizers import Optimizer


def main(model, loader):
    optim = Optimizer(torch.optim.Adam(model.parameters()), 5.0)
    for source, target in loader:
        optim.zero_grad()
        model(source, target).sum().backward()
        optim.step()
