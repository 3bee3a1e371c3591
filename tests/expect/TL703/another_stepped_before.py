"""Another optimizer steps before the loop, and a meter steps in it: the schedule is early all the same."""

import torch


def pretrained(model, head, criterion, loader):
    first = torch.optim.SGD(head.parameters(), lr=0.1)
    for images, labels in loader:
        first.zero_grad()
        criterion(head(images), labels).backward()
        first.step()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30)
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        scheduler.step()  # expect: TL703
        optimizer.step()


def measured(model, criterion, loader, epochs, meter):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    meter.step()
    for _ in range(epochs):
        scheduler.step()  # expect: TL703
        for images, labels in loader:
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()
            meter.step()
