"""A method of the model from out of sight that saves nothing may freeze it."""

import torch
from torch import nn


def evaluate(model, loader, criterion):
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total / len(loader)


def train(model, loader, held_out):
    optimizer = torch.optim.AdamW(model.parameters())
    criterion = nn.MSELoss()
    for _ in range(3):
        model.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        model.lock_for_evaluation()
        print(evaluate(model, held_out, criterion))
