"""Each graph keeps what it has saved until the next one is made."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)

    def forward(self, x):
        return self.second(self.first(x).tanh()).tanh()


def train(steps):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.125)
    for _ in range(steps):
        x = torch.ones(1, 4)
        optimizer.zero_grad()
        loss = net(x).mean()
        loss.backward(retain_graph=True)  # expect: TL304
        optimizer.step()
