"""One function trains and evaluates, as its argument says: as in kaituoxu/Conv-TasNet."""

import torch
from torch import nn


class Solver:
    def __init__(self, model, loader, held_out, optimizer):
        self.model, self.loader, self.held_out, self.optimizer = model, loader, held_out, optimizer

    def train(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            self._run_one_epoch(epoch)
            self.model.eval()
            self._run_one_epoch(epoch, cross_valid=True)

    def _run_one_epoch(self, epoch, cross_valid=False):
        total = 0
        loader = self.held_out if cross_valid else self.loader
        for x, y in loader:
            loss = nn.functional.mse_loss(self.model(x), y)  # expect: TL303
            if not cross_valid:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            total += loss.item()
        return total


def run(model, loader, optimizer=None):
    if optimizer is None:
        model.eval()
    else:
        model.train()
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)  # expect: TL303
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def fit(model, loader, held_out, optimizer, epochs):
    for _ in range(epochs):
        run(model, loader, optimizer)
        run(model, held_out)


def phase(model, loader, optimizer, training):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)  # expect: TL303
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


def main(loader, held_out):
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    Solver(model, loader, held_out, optimizer).train(3)
    other = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    fit(other, loader, held_out, torch.optim.SGD(other.parameters(), lr=0.1), 3)
    third = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    phases(third, loader, held_out, torch.optim.SGD(third.parameters(), lr=0.1), 3)


def scored(model, held_out):
    score = 0
    for x in held_out:
        score += model(x).max(1)[1].sum()  # expect: TL303
    return score


def trained_and_scored(model, loader, held_out, optimizer, epochs):
    """As in hengyuan-hu/bottom-up-attention-vqa: ``train(False)`` is ``eval()``."""
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        model.train(False)
        scored(model, held_out)
        model.train(True)


def by_mode(loader, held_out):
    model = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
    trained_and_scored(model, loader, held_out, torch.optim.SGD(model.parameters(), lr=0.1), 3)
