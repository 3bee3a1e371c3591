"""Loops in which something bounds the gradients, or may; and models that need no bound, or are not in sight."""

import torch
from torch import nn, optim
from torch.nn.utils import clip_grad_norm_


def clipped(loader, criterion, scaler):
    model = nn.LSTM(8, 8)
    optimizer = optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(x)[0], y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 5.0)
        scaler.step(optimizer)
        scaler.update()


class Clipping(optim.Adam):
    def step(self, closure=None):
        for group in self.param_groups:
            clip_grad_norm_(group["params"], 1.0)
        return super().step(closure)


def by_its_optimizer(loader, criterion):
    model = nn.LSTM(8, 8)
    optimizer = Clipping(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        optimizer.step()


def by_an_optimizer_that_bounds(loader, criterion):
    model = nn.LSTM(8, 8)
    optimizer = optim.Adafactor(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        optimizer.step()


def only_the_head(loader, criterion):
    backbone = nn.LSTM(8, 8)
    head = nn.Linear(8, 2)
    optimizer = optim.Adam(head.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        with torch.no_grad():
            features = backbone(x)[0]
        criterion(head(features), y).backward()
        optimizer.step()


def by_somebody_else(loader, criterion, callbacks):
    model = nn.LSTM(8, 8)
    optimizer = optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        callbacks.on_after_backward(model)
        optimizer.step()


def normalised(loader, criterion):
    model = nn.LSTM(8, 8)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        for parameter in model.parameters():
            parameter.grad = parameter.grad / parameter.grad.norm().clamp(min=1.0)
        optimizer.step()


class Gate(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.cell = nn.GRUCell(size, size)


class Residual(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.out = nn.Linear(size, size)


class Chosen(nn.Module):
    """A layer that only some models of the class have."""

    def __init__(self, size, gated, recurrent):
        super().__init__()
        part = Gate if gated else Residual
        self.part = part(size)
        if recurrent:
            self.memory = nn.LSTM(size, size)


def chosen(loader, criterion, args):
    model = Chosen(8, args.gated, args.recurrent)
    optimizer = optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()


def evaluated(loader, criterion):
    model = nn.LSTM(8, 8)
    for x, y in loader:
        criterion(model(x)[0], y).backward()


def one_step(model, x, y, criterion, optimizer):
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    optimizer.step()
