"""A test behind the training: of one function, through helpers, at the top of a script."""

import torch
import torch.nn.functional as F
from torch import nn
from torchvision.utils import save_image


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.5))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(x)


def one_function(train, test):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        for x, y in train:
            opt.zero_grad()
            F.cross_entropy(net(x), y).backward()
            opt.step()
    hits = 0
    with torch.no_grad():
        for x, y in test:
            hits += (net(x).argmax(1) == y).sum().item()  # expect: TL704
    return hits


def fit(net, opt, train):
    net.train()
    for x, y in train:
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()


def count(net, test):
    hits = 0
    with torch.no_grad():
        for x, y in test:
            hits += (net(x).argmax(1) == y).sum().item()  # expect: TL704
    return hits


def through_helpers(train, test):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        fit(net, opt, train)
    print(count(net, test))


class Trainer:
    def __init__(self, train, test):
        self.net = Net()
        self.opt = torch.optim.SGD(self.net.parameters(), 0.1)
        self.train, self.test = train, test

    def run(self):
        for _ in range(10):
            fit(self.net, self.opt, self.train)
        self.measure()

    @torch.no_grad()
    def measure(self):
        total = 0.0
        for x, y in self.test:
            total += F.cross_entropy(self.net(x), y).item()  # expect: TL704
        print(total / len(self.test))


def with_eval(train, test):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        fit(net, opt, train)
    net.eval()
    with torch.no_grad():
        print(sum((net(x).argmax(1) == y).sum().item() for x, y in test))


def without_modes(train, test):
    net = Plain()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        fit(net, opt, train)
    hits = 0
    with torch.no_grad():
        for x, y in test:
            hits += (net(x).argmax(1) == y).sum().item()
    return hits


def evaluating(net, test):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in test)


def helper_with_eval(train, test):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        fit(net, opt, train)
    return evaluating(net, test)


def pictures(train):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        fit(net, opt, train)
    with torch.no_grad():
        for number in range(10):
            save_image(net(torch.randn(64, 8)), f"{number}.png")


def trained_again(train, more):
    net = Net()
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for _ in range(10):
        fit(net, opt, train)
    for x, y in more:
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()


def in_a_comprehension(train, val):
    encoder, decoder = Net(), Net()
    opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()])
    for _ in range(10):
        encoder.train()
        decoder.train()
        for x in train:
            opt.zero_grad()
            F.mse_loss(decoder(encoder(x)), x).backward()
            opt.step()
        encoder.eval()
        with torch.no_grad():
            print(sum(F.mse_loss(decoder(encoder(x)), x).item() for x in val))  # expect: TL704
