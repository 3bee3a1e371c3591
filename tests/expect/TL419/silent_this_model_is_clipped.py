"""The recurrent model itself is clipped, alone or with another, or is hooked, or who clips got its parameters."""

import itertools

import torch
import torch.nn as nn
from bounds import Bound


def both(loader, criterion):
    encoder, head = nn.LSTM(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()])
    for x, y in loader:
        optimizer.zero_grad()
        criterion(head(encoder(x)[0]), y).backward()
        nn.utils.clip_grad_norm_(itertools.chain(head.parameters(), encoder.parameters()), 1.0)
        optimizer.step()


def hooked(loader, criterion):
    model = nn.GRU(8, 8)
    for weight in model.parameters():
        weight.register_hook(lambda gradient: gradient.clamp(-1, 1))
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        optimizer.step()


def by_who_got_it(loader, criterion):
    model = nn.GRU(8, 8)
    optimizer = torch.optim.Adam(model.parameters())
    bound = Bound(model.parameters(), 1.0)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        bound.before_step()
        optimizer.step()
