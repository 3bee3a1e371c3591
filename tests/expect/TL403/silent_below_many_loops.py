"""Scaled gradients are summed in loops within loops, and the scaler steps."""

import torch
from torch import nn


def meta_learned(model, criterion, loader, steps):
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for _, tasks in zip(range(steps), loader):
        optimizer.zero_grad()
        for task in tasks:
            for view in task.views:
                for support, query in view.episodes:
                    for chunk, labels in query.split(support):
                        with torch.autocast("cuda"):
                            loss = criterion(model(chunk), labels)
                        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


class Dense:
    def __init__(self, net: nn.Module):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler("cuda")

    def accumulate(self, tile, target):
        with torch.autocast("cuda"):
            loss = nn.functional.mse_loss(self.net(tile), target)
        self.scaler.scale(loss).backward()

    def apply(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def fit(self, loader):
        for images, targets in loader:
            self.optimizer.zero_grad()
            for level in range(4):
                for head in range(3):
                    for row in range(8):
                        for column in range(8):
                            self.accumulate(images[level][head, row, column], targets[level][head, row, column])
            self.apply()
