"""An optimizer that clips in its own step, before it uses the gradients."""

import torch
from torch.nn.utils import clip_grad_norm_
from torch.optim import Optimizer


class Adam(Optimizer):
    def __init__(self, params, lr, max_grad_norm=1.0):
        super().__init__(params, {"lr": lr, "max_grad_norm": max_grad_norm})

    def step(self, closure=None):
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                if group["max_grad_norm"] > 0:
                    clip_grad_norm_(parameter, group["max_grad_norm"])
                parameter.data.add_(parameter.grad.data, alpha=-group["lr"])


def train(model, loader):
    optimizer = Adam(model.parameters(), 1e-4)
    for batch in loader:
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
