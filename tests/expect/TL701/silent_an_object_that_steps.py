"""Scalers of timm, which make a whole step when they are called, and gradients that are cleared."""

import torch
from timm.utils import NativeScaler


def train(model, loader, optimizer, criterion, loss_scaler, clip):
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss_scaler(loss, optimizer, clip_grad=clip, parameters=model.parameters())


def main(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        train(model, loader, optimizer, criterion, NativeScaler(), 1.0)


def in_halves_or_not(model, loader, optimizer, options):
    loss_scaler = NativeScaler() if options.half else None
    for i, x in enumerate(loader):
        update = i % options.window == options.window - 1
        loss = model(x).mean() / options.window
        if loss_scaler is not None:
            loss_scaler(loss, optimizer, clip_grad=options.clip, parameters=model.parameters(), need_update=update)
        else:
            loss.backward()
            if update:
                optimizer.step()
        if not update:
            continue
        optimizer.zero_grad()
