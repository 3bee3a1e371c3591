"""Epochs that are counted without an end, from the number that a checkpoint holds."""

import itertools
from itertools import count

import torch
from torch import nn


class Trainer:
    def __init__(self, model, optimizer, loader):
        self.model, self.optimizer, self.loader = model, optimizer, loader
        self.epoch = 0

    def train(self, last):
        for epoch in itertools.count(self.epoch):
            self.epoch = epoch
            if epoch >= last:
                break
            one_epoch(self.model, self.optimizer, self.loader)
            torch.save({"epoch": epoch + 1, "model": self.model.state_dict()}, "checkpoint.pth")  # expect: TL603


def one_epoch(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def resumed_from_outside(path, loader):
    model = nn.Linear(3, 3)
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    trainer = Trainer(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.99), loader)
    trainer.epoch = checkpoint["epoch"]
    trainer.train(10)


def resumed_here(path, loader):
    model = nn.Linear(3, 3)
    state = torch.load(path)
    model.load_state_dict(state["net"])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in count(state["next"], 1):
        one_epoch(model, optimizer, loader)
        torch.save({"net": model.state_dict(), "next": epoch + 1}, "net.pth")  # expect: TL603
