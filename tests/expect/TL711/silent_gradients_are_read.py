"""The gradients of the loop are applied by hand, looked at, or who applies them got the optimizer."""

import torch
from stages import Stage


def apply(model, rate):
    with torch.no_grad():
        for weight in model.parameters():
            weight -= rate * weight.grad


def by_hand(model, criterion, loader, rate):
    optimizer = torch.optim.Adam(model.parameters())
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        apply(model, rate)


class Learner:
    def __init__(self, net, options):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=options.lr)
        self.stage = Stage(self.optimizer)

    def fit(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.net(batch).mean().backward()
            self.stage.step()


def importance(model, criterion, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    found = {}
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        for name, weight in model.named_parameters():
            found[name] = found.get(name, 0) + weight.grad.pow(2).sum().item()
    return found
