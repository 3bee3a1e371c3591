"""Somebody updates it, perhaps."""

import torch


def with_a_new_scale(model, loader, optimizer, scaler, every):
    for number, batch in enumerate(loader):
        scaler.scale(model(batch) / every).backward()
        if number % every == 0:
            scaler.step(optimizer)
            optimizer.zero_grad()
            if number % 1000 == 0:
                scaler.update(2.0**10)
            else:
                scaler.update()


def finish(scaler):
    scaler.update()


def in_a_helper(model, loader, optimizer, scaler):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)
        finish(scaler)


def switched_off(model, loader, optimizer):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)
