"""One function trains and evaluates: what it does with a loader is known from its arguments."""

import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


def run(model, batches, optimizer=None):
    total = 0.0
    for x, y in batches:
        loss = model(x, y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.detach()
    return total


def main(model, optimizer, train_set, valid_set):
    device = torch_xla.device()
    train_loader = DataLoader(train_set, batch_size=64, shuffle=True)  # expect: TL501
    valid_loader = DataLoader(valid_set, batch_size=64)
    for epoch in range(3):
        run(model, pl.MpDeviceLoader(train_loader, device), optimizer)
        run(model, pl.MpDeviceLoader(valid_loader, device))
