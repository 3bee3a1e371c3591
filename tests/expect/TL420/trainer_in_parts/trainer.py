"""A trainer whose gradients are clipped in a function of another file, when the step has been made."""

import torch
from clipping import limit


class Trainer:
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
            limit(self.net, 0.25)
