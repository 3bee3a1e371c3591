"""An engine for one network."""

import torch
from engine import Engine


class Triplet(Engine):
    def __init__(self, net, optimizer, criterion):
        super().__init__({"net": net}, optimizer)
        self.net, self.criterion = net, criterion

    def forward_backward(self, batch):
        loss = self.criterion(self.net(batch["image"]), batch["label"])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    @torch.no_grad()
    def extract(self, batch):
        return self.net(batch["image"])
