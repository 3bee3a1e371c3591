from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluating(model):
    model.eval()  # expect: TL705
    with torch.no_grad():
        yield model


def validate(model, loader):
    with evaluating(model) as m:
        return sum(nn.functional.mse_loss(m(x), y).item() for x, y in loader) / len(loader)


def train(loader, val_loader, steps=10_000):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters())
    model.train()
    for step, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        if step % 500 == 0:
            print(validate(model, val_loader))
