"""The schedule is stepped on what a function hands back, or on an item of what it does."""

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR


def same(thing):
    return thing


def checked(scheduler):
    assert scheduler is not None
    return scheduler


def both(optimizer, epochs):
    return optimizer, CosineAnnealingLR(optimizer, epochs)


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = CosineAnnealingLR(optimizer, epochs)
    for _ in range(epochs):
        for images, labels in loader:
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()
        same(scheduler).step()


class Trainer:
    def __init__(self, model, epochs):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = CosineAnnealingLR(self.optimizer, epochs)
        self.epochs = epochs

    def get(self):
        return self.scheduler

    def fit(self, loader):
        for _ in range(self.epochs):
            for batch in loader:
                self.optimizer.zero_grad()
                self.model(batch).mean().backward()
                self.optimizer.step()
            checked(self.get()).step()


def of_a_pair(model, criterion, loader, epochs):
    made = both(torch.optim.SGD(model.parameters(), lr=0.1), epochs)
    for _ in range(epochs):
        for images, labels in loader:
            made[0].zero_grad()
            criterion(model(images), labels).backward()
            made[0].step()
        made[1].step()
