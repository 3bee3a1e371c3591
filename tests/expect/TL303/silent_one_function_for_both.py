"""One function trains and evaluates, and gradients are off when it evaluates; or it always trains."""

import torch
from torch import nn


def phase(model, loader, optimizer, training):
    with torch.set_grad_enabled(training):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()


def phases(model, loader, held_out, optimizer, epochs):
    for _ in range(epochs):
        model.train()
        phase(model, loader, optimizer, True)
        model.eval()
        phase(model, held_out, optimizer, False)


class Solver:
    def __init__(self, model, loader, held_out, optimizer):
        self.model, self.loader, self.held_out, self.optimizer = model, loader, held_out, optimizer

    def train(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            self._run_one_epoch(epoch)
            self.model.eval()
            with torch.no_grad():
                self._run_one_epoch(epoch, cross_valid=True)

    def _run_one_epoch(self, epoch, cross_valid=False):
        loader = self.held_out if cross_valid else self.loader
        for x, y in loader:
            loss = nn.functional.mse_loss(self.model(x), y)
            if not cross_valid:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


def adapt(model, loader, optimizer, rate):
    """Whichever way it is called, it trains: in evaluation mode, so that batch norm keeps its statistics."""
    for x, y in loader:
        optimizer.zero_grad()
        (rate * nn.functional.mse_loss(model(x), y)).backward()
        optimizer.step()


def tuned(model, loader, optimizer):
    for _ in range(3):
        adapt(model, loader, optimizer, 1.0)
        model.eval()
        adapt(model, loader, optimizer, 0.1)


def main(loader, held_out):
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    phases(model, loader, held_out, torch.optim.SGD(model.parameters(), lr=0.1), 3)
    other = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    Solver(other, loader, held_out, torch.optim.SGD(other.parameters(), lr=0.1)).train(3)
    third = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    tuned(third, loader, torch.optim.SGD(third.parameters(), lr=0.1))
