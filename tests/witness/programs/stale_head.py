"""A head that is replaced after the optimizer took the parameters: it stays where it began."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(1, 1, bias=False)

    def forward(self, x):
        return self.head(x)


def train(steps):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.125)
    net.head = nn.Linear(1, 1, bias=False)  # expect: TL709
    nn.init.zeros_(net.head.weight)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = net(torch.ones(1, 1)).mean()
        loss.backward()
        optimizer.step()
    return net.head
