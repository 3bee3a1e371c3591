"""A model that is made anew in an outer loop, and stays the same in the inner one; one that a method only hands out."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def folds(parts):
    for loader, held_out in parts:
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(10):
            for batch in loader:
                optimizer.zero_grad()
                net(batch).sum().backward()
                optimizer.step()
            net.eval()  # expect: TL705
            with torch.no_grad():
                for batch in held_out:
                    net(batch)


class Runner:
    def __init__(self):
        self.net = Net()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def get(self):
        return self.net

    def fit(self, rounds, held_out):
        for loader in rounds:
            net = self.get()
            for batch in loader:
                self.optimizer.zero_grad()
                net(batch).sum().backward()
                self.optimizer.step()
            net.eval()  # expect: TL705
            with torch.no_grad():
                for batch in held_out:
                    net(batch)


def main(rounds, held_out):
    Runner().fit(rounds, held_out)
