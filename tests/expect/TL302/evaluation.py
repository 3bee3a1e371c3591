"""Totals of an evaluation pass in which gradients are recorded: nobody ever takes them."""

import torch
import torch.nn.functional as F
from torch import nn

criterion = nn.CrossEntropyLoss()


def validate(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        total += criterion(model(x), y) * x.size(0)  # expect: TL302
    return total / len(loader.dataset)


def validate_transformer(model, loader):
    model.eval()
    total = 0
    for batch in loader:
        outputs = model(**batch)
        total += outputs.loss  # expect: TL302
    return total / len(loader)


class Tester:
    def __init__(self, network):
        self.network = network

    def test(self, loader):
        self.network.eval()
        total = 0
        for x, y in loader:
            total += F.nll_loss(self.network(x), y, reduction="sum")  # expect: TL302
        return total / len(loader.dataset)


def wrapped_here(model, loader):
    model.eval()
    total = 0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y)
    return total


def loss_made_without_gradients(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        with torch.inference_mode():
            loss = criterion(model(x), y)
        total += loss
    return total


@torch.no_grad()
def decorated(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        total += criterion(model(x), y)
    return total


def every_caller_turns_them_off(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        total += criterion(model(x), y)
    return total


def called_from_elsewhere(model, loader):
    model.eval()
    total = 0
    for x, y in loader:
        total += criterion(model(x), y)
    return total


def metric(model, loader, accuracy):
    model.eval()
    right = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum()
        right += accuracy(model(x), y)
    return right


def main(model, loader):
    for _ in range(3):
        print(validate(model, loader), validate_transformer(model, loader), Tester(model).test(loader))
        print(wrapped_here(model, loader), loss_made_without_gradients(model, loader), decorated(model, loader))
        print(metric(model, loader, None))
        with torch.no_grad():
            print(every_caller_turns_them_off(model, loader))
