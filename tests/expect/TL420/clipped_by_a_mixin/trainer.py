"""A trainer whose gradients are clipped in a method of a mixin."""

import torch
from clipping import Clipping


class Trainer(Clipping):
    def __init__(self, net, rate):
        self.net = net
        self.optim = torch.optim.RMSprop(net.parameters(), lr=rate)

    def one_step(self, batch):
        self.optim.zero_grad()
        loss = self.net(batch)
        loss.backward()
        self.optim.step()
        return loss.item()

    def run(self, loader):
        for batch in loader:
            self.one_step(batch)
            self.limit(0.25)
