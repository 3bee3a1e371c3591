"""Evaluations that nothing is called by: no gradients, and what comes out is compared, counted, or made a number."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def score(net, loader):
    right, count = 0, 0
    with torch.no_grad():
        for x, y in loader:
            right += (net(x).argmax(1) == y).sum().item()  # expect: TL704
            count += len(y)
    return right / count


def fit(loader, held_out):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        print(score(net, held_out))


@torch.no_grad()
def mean_loss(net, data, criterion, meter):
    for x, y in data:
        loss = criterion(net(x), y)  # expect: TL704
        meter.update(loss.item(), len(y))


def fit_two(loader, held_out, criterion, meter):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            criterion(net(x), y).backward()
            optimizer.step()
        mean_loss(net, held_out, criterion, meter)


def accuracy(net, loader):
    outputs = []
    with torch.no_grad():
        for x, y in loader:
            outputs.append((net(x).argmax(1) == y).float().mean())  # expect: TL704
    return torch.stack(outputs).mean()


def fit_three(loader, held_out):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    best = 0
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        now = accuracy(net, held_out)
        if now > best:
            best = now
