"""The optimizer of the schedule has stepped before the loop: to silence the warning, or in a first loop."""

import torch


def silenced(model, criterion, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    optimizer.zero_grad()
    optimizer.step()
    for _ in range(epochs):
        scheduler.step()
        for images, labels in loader:
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()


def in_a_first_loop(model, criterion, loader, warm, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for images, labels in warm:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()
    for _ in range(epochs):
        scheduler.step()
        for images, labels in loader:
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()
