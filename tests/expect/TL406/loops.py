"""Scalers beside bfloat16, with accumulation and in helpers."""

from contextlib import contextmanager

import torch
from torch.cuda.amp import GradScaler, autocast


@contextmanager
def precision():
    with autocast(dtype=torch.bfloat16):
        yield


def accumulated(model, optimizer, loader, window):
    scaler = GradScaler()
    for i, (x, y) in enumerate(loader):
        with precision():
            loss = torch.nn.functional.mse_loss(model(x), y) / window
        scaler.scale(loss).backward()  # expect: TL406
        if (i + 1) % window == 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def forward(model, x):
    with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
        return model(x)


def in_a_helper(model, criterion, optimizer, loader):
    scaler = torch.amp.GradScaler()
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(forward(model, x), y)
        scaler.scale(loss).backward()  # expect: TL406
        scaler.step(optimizer)
        scaler.update()
