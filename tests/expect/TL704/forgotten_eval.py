"""Validation without eval(): beside the training loop, in a method, in a wrapped model, in a shared helper."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.norm = nn.BatchNorm1d(width)
        self.last = nn.Linear(width, 2)

    def forward(self, x):
        return self.last(torch.relu(self.norm(self.first(x))))


class Trainer:
    def __init__(self, train_loader, valid_loader):
        self.model = nn.DataParallel(Classifier(32))  # expect: TL116
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.train_loader, self.valid_loader = train_loader, valid_loader

    def run(self):
        for epoch in range(5):
            self.train_epoch()
            print(self.valid_epoch())

    def train_epoch(self):
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

    def valid_epoch(self):
        right = 0
        with torch.no_grad():
            for x, y in self.valid_loader:
                right += (self.model(x).argmax(1) == y).sum().item()  # expect: TL704
        return right


def accuracy(net, data):
    right = 0
    for x, y in data:
        right += (net(x).argmax(1) == y).sum().item()  # expect: TL704
    return right


def in_the_middle(net, loader, test_data, optimizer):
    net.train()
    for index, (x, y) in enumerate(loader):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        optimizer.step()
        if index % 100 == 0:
            test_accuracy(net, test_data)


def test_accuracy(net, data):
    return accuracy(net, data)


def script(train_set, test_set):
    net = Classifier(16)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(3):
        for x, y in torch.utils.data.DataLoader(train_set, 8, shuffle=True):
            loss = nn.functional.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        for x, y in torch.utils.data.DataLoader(test_set, 8):
            print((net(x).argmax(1) == y).float().mean())  # expect: TL704
