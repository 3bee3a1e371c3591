"""What hands a schedule back does not step it."""

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR


def same(thing):
    return thing


def shown(scheduler, name):
    print(name, scheduler.get_last_lr())
    return scheduler


def train(model, criterion, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = same(CosineAnnealingLR(optimizer, epochs))  # expect: TL710
    for _ in range(epochs):
        for images, labels in loader:
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()
        print(scheduler.get_last_lr())


def watched(model, criterion, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = CosineAnnealingLR(optimizer, epochs)  # expect: TL710
    for _ in range(epochs):
        for images, labels in loader:
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()
        shown(scheduler, "cosine")
