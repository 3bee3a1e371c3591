"""Dropout and batch norm in modules that a model is given, or inherits: the mode matters to it."""

import timm
import torch
from torch import nn


class Wrap(nn.Module):
    def __init__(self, encoder, head):
        super().__init__()
        self.encoder = encoder
        self.head = head

    def forward(self, x):
        return self.head(self.encoder(x))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def of_the_project(loader, held_out):
    net = Wrap(Encoder(), nn.Linear(8, 1))
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


class Stack(nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def in_a_list(loader, held_out):
    net = Stack([nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 1)])
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


def of_a_library(loader, held_out, name):
    net = Wrap(timm.create_model(name), nn.Linear(8, 1))
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


def from_somewhere(loader, held_out, backbone):
    net = Wrap(backbone, nn.Linear(8, 1))
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


class Longer(Encoder):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(super().forward(x))


def inherited(loader, held_out):
    net = Longer()
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
