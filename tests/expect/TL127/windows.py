"""Accumulation in a class, and with a flag for the boundary."""

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, net, device, every):
        self.model = torch.nn.parallel.DistributedDataParallel(net.to(device), device_ids=[device])
        self.optimizer = torch.optim.AdamW(self.model.parameters())
        self.every = every

    def run(self, loader):
        self.optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            loss = F.cross_entropy(self.model(x), y) / self.every
            loss.backward()  # expect: TL127
            if (step + 1) % self.every == 0:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()
