"""A function is called `freeze…`, and has nothing to do with the model."""

import torch


def freeze_time(clock):
    clock.stop()


def asked(model, loader, criterion, clock):
    model.eval()
    freeze_time(clock)
    total = 0.0
    for images, labels in loader:
        total += criterion(model(images), labels).item()  # expect: TL303
    model.train()
    return total / len(loader)


def main(model, loader, criterion, clock):
    print(asked(model, loader, criterion, clock), torch.__version__)
