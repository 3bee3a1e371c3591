"""The modules that a model is given are in sight, and the mode matters to none of them."""

import torch
from torch import nn


class Wrap(nn.Module):
    def __init__(self, encoder, head):
        super().__init__()
        self.encoder = encoder
        self.head = head

    def forward(self, x):
        return self.head(self.encoder(x))


def plain(loader, held_out):
    net = Wrap(nn.Sequential(nn.Linear(8, 8), nn.ReLU()), head=nn.Linear(8, 1))
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


class Stack(nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = nn.Sequential(*blocks)

    def forward(self, x):
        return self.blocks(x)


def in_a_list(loader, held_out):
    net = Stack([nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1)])
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


def in_sequence(loader, held_out):
    net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.0), nn.Linear(8, 1)).cuda()
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
