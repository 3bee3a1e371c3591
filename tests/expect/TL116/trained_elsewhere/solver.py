"""It trains what it is given."""

import torch


class Solver:
    def __init__(self, model, loader, held_out, lr):
        self.model, self.loader, self.held_out = model, loader, held_out
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def train(self, epochs):
        for _ in range(epochs):
            self._run_one_epoch()

    def _run_one_epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()

    def evaluate(self):
        self.model.eval()
        with torch.no_grad():
            return [self.model(x).argmax(1) for x in self.held_out]


def fit(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
