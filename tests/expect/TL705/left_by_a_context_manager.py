"""Context managers of the project that set the mode, one of which puts it back."""

import torch
from torch import nn


class Evaluating:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.model.eval()  # expect: TL705
        return self.model

    def __exit__(self, *error):
        return False


class Evaluated(Evaluating):
    def __exit__(self, *error):
        self.model.train()


def left(loader, held_out):
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.1), nn.Linear(3, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        for images, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(images), labels).backward()
            optimizer.step()
        with Evaluating(model), torch.no_grad():
            for images, labels in held_out:
                print((model(images).argmax(1) == labels).sum().item())


def put_back(loader, held_out):
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.1), nn.Linear(3, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        for images, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(images), labels).backward()
            optimizer.step()
        with Evaluated(model), torch.no_grad():
            for images, labels in held_out:
                print((model(images).argmax(1) == labels).sum().item())
