"""The gradients are emptied in time, or who steps in between got the optimizer."""

import torch
from stages import Stage


def timed(model, criterion, optimizer, loader, timer):
    for images, labels in loader:
        optimizer.zero_grad()
        timer.step()
        loss = criterion(model(images), labels)
        loss.backward()
        timer.step()
        optimizer.step()


def skipped(model, criterion, optimizer, loader, profiler):
    for images, labels in loader:
        loss = criterion(model(images), labels)
        loss.backward()
        if not torch.isfinite(loss):
            optimizer.zero_grad()
            profiler.step()
            continue
        optimizer.step()
        optimizer.zero_grad()
        profiler.step()


def staged(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    stage = Stage(optimizer)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        loss.backward()
        stage.step()
        optimizer.zero_grad()
        optimizer.step()
