"""Passes over the data: the one that trains sets the mode, the one that measures does not."""

import torch


def train_one_epoch(net, criterion, loader, optimizer):
    net.train()
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(net(images), labels).backward()
        optimizer.step()


@torch.inference_mode()
def evaluate(net, criterion, loader):
    total = 0.0
    for images, labels in loader:
        total += criterion(net(images), labels).item()  # expect: TL704
    return total / len(loader)
