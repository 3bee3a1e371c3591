"""A script whose model is a name of the file: the functions are given data only."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width, drop=0.2):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Dropout(drop), nn.Linear(width, 1))

    def forward(self, x):
        return self.layers(x)


class Plain(Net):
    def __init__(self, width):
        super().__init__(width, drop=0.0)


model = Net(8)
plain = Plain(8)
optimizer = torch.optim.Adam([*model.parameters()], lr=0.01)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
second = torch.optim.Adam(plain.parameters(), lr=0.01)
train_loader = torch.utils.data.DataLoader(range(100), 8)
test_loader = torch.utils.data.DataLoader(range(20), 8)


def train():
    for x in train_loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()


@torch.no_grad()
def test(loader):
    return sum(model(x).square().mean().item() for x in loader)  # expect: TL704


def train_plain():
    for x in train_loader:
        second.zero_grad()
        plain(x).square().mean().backward()
        second.step()


@torch.no_grad()
def test_plain(loader):
    return sum(plain(x).square().mean().item() for x in loader)


for epoch in range(10):
    train()
    print(test(test_loader))
    train_plain()
    print(test_plain(test_loader))
