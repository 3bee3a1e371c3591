"""Epochs that are counted without an end: all is saved, or nothing is resumed."""

import itertools
import os
from itertools import count

import torch
from torch import nn


def one_epoch(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def complete(path, loader):
    model = nn.Linear(3, 3)
    optimizer = torch.optim.Adam(model.parameters())
    state = torch.load(path)
    model.load_state_dict(state["weights"])
    optimizer.load_state_dict(state["optim"])
    for epoch in count(state["from"]):
        one_epoch(model, optimizer, loader)
        torch.save({"weights": model.state_dict(), "optim": optimizer.state_dict(), "from": epoch + 1}, "all.tmp")
        os.replace("all.tmp", "all.pth")


def numbered_only(path, loader, numbers):
    model = nn.Linear(3, 3)
    model.load_state_dict(torch.load(path)["only"])
    optimizer = torch.optim.Adam(model.parameters())
    for number, _ in zip(itertools.count(1), range(10)):
        one_epoch(model, optimizer, loader)
        torch.save({"only": model.state_dict(), "number": number + numbers.count(1)}, "only.tmp")
        os.replace("only.tmp", "only.pth")
