"""A function of another file freezes the model, whatever it is called."""

import torch
from preparing import prepared


def asked(model, loader, criterion):
    prepared(model)
    model.eval()
    total = 0.0
    for images, labels in loader:
        total += criterion(model(images), labels).item()
    model.train()
    return total / len(loader)


def main(model, loader, criterion):
    print(asked(model, loader, criterion), torch.__version__)
