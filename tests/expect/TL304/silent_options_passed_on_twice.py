"""What is passed on is put together of a table of the class and what comes in."""

from typing import Any, TypedDict

import torch
from torch import nn


class BackwardOptions(TypedDict, total=False):
    retain_graph: bool
    create_graph: bool


class Stepper:
    defaults: BackwardOptions = {"retain_graph": False}

    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def _backward(self, loss, **kwargs: Any):
        loss.backward(**kwargs)

    def optimize(self, loss, **kwargs: Any):
        self.optimizer.zero_grad()
        self._backward(loss, **{**self.defaults, **kwargs})
        self.optimizer.step()


def train(loader):
    model = nn.Linear(16, 1)
    stepper = Stepper(model, torch.optim.Adam(model.parameters()))
    for x, y in loader:
        stepper.optimize(nn.functional.mse_loss(model(x), y))
