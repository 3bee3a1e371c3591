"""The cycle of `warmed_up_by_epochs.py`, stepped for each batch."""

import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader


def train(epochs):
    layer = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    loader = DataLoader(torch.ones(20, 1), batch_size=1)
    scheduler = OneCycleLR(optimizer, max_lr=1.0, epochs=epochs, steps_per_epoch=len(loader))
    rates = []
    for _ in range(epochs):
        for x in loader:
            optimizer.zero_grad()
            layer(x).mean().backward()
            optimizer.step()
            rates.append(scheduler.get_last_lr()[0])
            scheduler.step()
    return {"highest": max(rates), "last": rates[-1]}
