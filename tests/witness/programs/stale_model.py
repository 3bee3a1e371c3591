"""A model that is made anew for the second half: the optimizer still has the parameters of the first."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1, bias=False)
        nn.init.zeros_(self.layer.weight)

    def forward(self, x):
        return self.layer(x)


def train(steps):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.125)
    net = Net()  # expect: TL709
    for _ in range(steps):
        optimizer.zero_grad()
        loss = net(torch.ones(1, 1)).mean()
        loss.backward()
        optimizer.step()
    return net
