"""Of two models one is clipped, or has a hook at its gradients; the other one is the recurrent one."""

import torch
import torch.nn as nn


def one_of_two(loader, criterion):
    encoder, head = nn.LSTM(8, 8), nn.Linear(8, 2)
    for_encoder = torch.optim.Adam(encoder.parameters())
    for_head = torch.optim.Adam(head.parameters())
    for x, y in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        criterion(head(encoder(x)[0]), y).backward()
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        for_encoder.step()  # expect: TL419
        for_head.step()


def hooked(loader, criterion, log):
    plain = nn.Linear(4, 4)
    plain.weight.register_hook(lambda gradient: log(gradient.norm()))
    model = nn.GRU(8, 8)
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        optimizer.step()  # expect: TL419


def timed(loader, criterion, timer):
    model = nn.GRU(8, 8)
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        timer.step()
        optimizer.step()  # expect: TL419
