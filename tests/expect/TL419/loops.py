"""Loops without a bound on gradients: through helpers, of two optimizers, of a model that a function makes."""

import torch
import torch.nn as nn
import torch.optim as optim


class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.gru = nn.GRU(size, size, batch_first=True)

    def forward(self, x):
        return self.gru(x)[0]


class Translator(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.encoder = Encoder(size)
        self.out = nn.Linear(size, size)

    def forward(self, x):
        return self.out(self.encoder(x))


def build(size):
    return Translator(size).to("cuda")


def train_epoch(model, loader, optimizer, criterion):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()  # expect: TL419


def main(loader, criterion):
    model = build(64)
    optimizer = optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    for _ in range(10):
        train_epoch(model, loader, optimizer, criterion)


def accumulated(loader, criterion, steps):
    model = nn.Transformer(d_model=64)
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    for number, (x, y) in enumerate(loader):
        loss = criterion(model(x, y), y) / steps
        loss.backward()
        if (number + 1) % steps == 0:
            optimizer.step()  # expect: TL419
            optimizer.zero_grad()


class Cell(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.cell = nn.LSTMCell(size, size)

    def forward(self, x, state):
        return self.cell(x, state)


def through_time(sequences, criterion):
    cell = Cell(16)
    optimizer = optim.RMSprop(cell.parameters())
    for sequence, target in sequences:
        state = None
        loss = torch.zeros(())
        for x, y in zip(sequence, target):
            state = cell(x, state)
            loss = loss + criterion(state[0], y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # expect: TL419


def a_norm_that_is_only_logged(loader, criterion, log):
    model = nn.LSTM(8, 8)
    optimizer = optim.Adam(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x)[0], y).backward()
        log(sum(p.grad.norm() for p in model.parameters()))
        optimizer.step()  # expect: TL419
