"""A recurrent network that goes on from the state of the batch before; `retain_graph=True` is what makes that run."""

import torch
from torch import nn


class Memory(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(4, 8)
        self.gru = nn.GRU(8, 8)
        self.out = nn.Linear(8, 1)
        self.state = None

    def forward(self, samples):
        seen, self.state = self.gru(self.embed(samples), self.state)  # expect: TL307
        return self.out(seen)


def train(count):
    torch.manual_seed(0)
    net = Memory()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.0)  # weights that change would end the older graphs with an error
    for _ in range(count):
        loss = net(torch.randn(3, 2, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
    return float(loss)
