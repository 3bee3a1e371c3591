"""Gradients that are too large are given up: another way leads to a step with them (NVlabs/imaginaire)."""

import torch


class Trainer:
    def __init__(self, net, optimizer, scaler, limit, skip):
        self.net, self.optimizer, self.scaler = net, optimizer, scaler
        self.limit, self.skip = limit, skip

    def train(self, loader, criterion):
        for inputs, targets in loader:
            self.optimizer.zero_grad()
            loss = criterion(self.net(inputs), targets)
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            norm = torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.limit)
            if torch.isfinite(norm) and norm > self.limit and self.skip:
                self.optimizer.zero_grad(set_to_none=True)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                continue
            self.scaler.step(self.optimizer)
            self.scaler.update()
