"""Gradients that are emptied behind the step of a window, in each of its iterations: those in between are lost, too."""

import torch
from torch.nn import functional as F


def dedented(model, loader, accumulation):
    optimizer = torch.optim.AdamW(model.parameters())
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y) / accumulation
        loss.backward()
        if (i + 1) % accumulation == 0:
            optimizer.step()
        optimizer.zero_grad()  # expect: TL702


def by_the_model(model, loader, accum_steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()
        if i % accum_steps == accum_steps - 1:
            optimizer.step()
        model.zero_grad()  # expect: TL702


def counted_by_hand(model, loader, window):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = 0
    for x, y in loader:
        loss = F.mse_loss(model(x), y) / window
        loss.backward()
        batches += 1
        if batches % window == 0:
            apply(optimizer)
        empty(optimizer)


def apply(optimizer):
    torch.nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], 1.0)
    optimizer.step()


def empty(optimizer):
    optimizer.zero_grad(set_to_none=True)  # expect: TL702


def in_time(model, loader, accumulation):
    optimizer = torch.optim.AdamW(model.parameters())
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y) / accumulation
        loss.backward()
        if (i + 1) % accumulation:
            continue
        optimizer.step()
        optimizer.zero_grad()


def of_two(model, critic, loader, accumulation):
    optimizer = torch.optim.AdamW(model.parameters())
    other = torch.optim.AdamW(critic.parameters())
    for i, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y) / accumulation + critic(x).mean()
        loss.backward()
        if (i + 1) % accumulation == 0:
            optimizer.step()
            optimizer.zero_grad()
        other.step()
        other.zero_grad()


def logged_every_so_often(model, loader, interval):
    optimizer = torch.optim.AdamW(model.parameters())
    for i, (x, y) in enumerate(loader):
        F.mse_loss(model(x), y).backward()
        optimizer.step()
        if (i + 1) % interval == 0:
            print(i)
        optimizer.zero_grad()
