"""A model that each round makes anew (a fold, a seed, a trial) is another one than that of the round before, and trains."""

import copy

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def evaluate(net, held_out):
    net.eval()
    with torch.no_grad():
        return sum(net(batch).sum() for batch in held_out)


def train(net, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()


def folds(parts):
    for loader, held_out in parts:
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        train(net, loader, optimizer)
        net.eval()
        with torch.no_grad():
            for batch in held_out:
                net(batch)


def one_fold(loader, held_out, epochs):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        train(net, loader, optimizer)
    evaluate(net, held_out)


def folds_by_a_function(parts):
    for loader, held_out in parts:
        one_fold(loader, held_out, 10)


def make():
    return nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 1))


def seeds(loader, held_out, device):
    for seed in range(3):
        torch.manual_seed(seed)
        net = make().to(device)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(3):
            train(net, loader, optimizer)
        evaluate(net, held_out)


def compiled(loader, held_out):
    for seed in range(3):
        net = torch.compile(Net())
        train(net, loader, torch.optim.SGD(net.parameters(), lr=0.1))
        evaluate(net, held_out)


def copies(loader, held_out):
    start = Net()
    for lr in (0.1, 0.01):
        net = copy.deepcopy(start)
        train(net, loader, torch.optim.SGD(net.parameters(), lr=lr))
        evaluate(net, held_out)


class Runner:
    def __init__(self, rank):
        self.net = DDP(nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1)), device_ids=[rank])
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def fit(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.net(batch).sum().backward()
            self.optimizer.step()

    def score(self, held_out):
        self.net.eval()
        with torch.no_grad():
            for batch in held_out:
                self.net(batch)


def in_an_object(parts, rank):
    for loader, held_out in parts:
        runner = Runner(rank)
        runner.fit(loader)
        runner.score(held_out)
