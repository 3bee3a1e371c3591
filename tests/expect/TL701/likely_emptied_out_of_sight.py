"""One callee out of sight is handed the model: it may empty the gradients, and nothing else does."""

import torch
from torch import nn


def train(model: nn.Module, optimizer: torch.optim.Optimizer, training_step, loader, epochs):
    for _ in range(epochs):
        for batch in loader:
            loss = training_step(batch, model)
            loss.backward()
            optimizer.step()  # expect-likely: TL701


def emptied(model: nn.Module, optimizer: torch.optim.Optimizer, training_step, loader):
    for batch in loader:
        loss = training_step(batch, model)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_two(model: nn.Module, optimizer: torch.optim.Optimizer, training_step, after_step, loader):
    for batch in loader:
        loss = training_step(batch, model)
        loss.backward()
        optimizer.step()
        after_step(model, optimizer)
