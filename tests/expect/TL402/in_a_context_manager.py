"""The step behind the ``yield`` of a context manager, which is left when the backward pass is done."""

from contextlib import contextmanager

import torch
import torch.nn.functional as F

scaler = torch.amp.GradScaler("cuda")


@contextmanager
def clipped(optimizer, parameters):
    optimizer.zero_grad()
    yield
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)  # expect: TL402
    scaler.step(optimizer)
    scaler.update()


@contextmanager
def clipped_in_time(optimizer, parameters):
    optimizer.zero_grad()
    try:
        yield
    finally:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        scaler.step(optimizer)
        scaler.update()


def train(model, loader, optimizer):
    for images, labels in loader:
        with clipped(optimizer, model.parameters()):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(model(images), labels)
            scaler.scale(loss).backward()


def train_in_time(model, loader, optimizer):
    for images, labels in loader:
        with clipped_in_time(optimizer, model.parameters()):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(model(images), labels)
            scaler.scale(loss).backward()
