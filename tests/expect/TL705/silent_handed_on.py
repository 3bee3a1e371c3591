"""Somebody out of sight is handed the model, or holds it, and may put it back; or a method is called whose name nobody knows."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def one(loader, held_out, finish):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            for batch in held_out:
                net(batch)
        finish(net)


def two(loader, held_out, kind):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    switch = kind(net)
    for epoch in range(10):
        switch.begin()
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            for batch in held_out:
                net(batch)


def three(loader, held_out, learner):
    optimizer = torch.optim.SGD(learner.net.parameters(), lr=0.1)
    for epoch in range(10):
        learner.begin()
        for batch in loader:
            optimizer.zero_grad()
            learner.net(batch).sum().backward()
            optimizer.step()
        learner.net.eval()
        with torch.no_grad():
            for batch in held_out:
                learner.net(batch)


def four(loader, held_out, phases):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            for batch in held_out:
                net(batch)
        getattr(net, phases[0])()
