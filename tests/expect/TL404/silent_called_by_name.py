"""A method of the scaler that only the caller names may be its update."""

import torch


def train(model, loader, criterion, name):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        scaler.scale(criterion(model(x), y)).backward()
        scaler.step(optimizer)
        getattr(scaler, name)()
