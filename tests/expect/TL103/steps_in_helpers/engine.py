"""One epoch; main.py says which model."""

import math

import torch


def one_epoch(model, criterion, loader, optimizer, scaler, accumulate=1):
    for number, (samples, targets) in enumerate(loader):
        if samples is None:
            print("nothing could be read")
            continue
        with torch.autocast("cuda"):
            outputs = model(samples)  # expect: TL103
            loss = criterion(outputs, targets)
        value = loss.item()
        if not math.isfinite(value):
            print(f"skipped {number}: {value}")
            optimizer.zero_grad()
            continue
        scaler(loss / accumulate, optimizer)  # expect-not-yet: TL103
