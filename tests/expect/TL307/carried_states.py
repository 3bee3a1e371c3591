"""States that go on with their graph: of a cell, in a global, through a loop of chunks, behind a residual sum."""

import torch
import torch.nn as nn
from torch.nn import functional as F

memory = None


class Controller(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = nn.GRUCell(width, width)
        self.read = nn.Linear(width, width)
        self.state = None

    def forward(self, x):
        self.state = self.cell(x, self.state)  # expect: TL307
        return self.read(self.state)


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.GRU(width, width, batch_first=True)

    def forward(self, x, state):
        return self.layers(x, state)


class Listener(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = Encoder(width)
        self.h = torch.zeros(1, 1, width)

    def forward(self, x):
        out, h = self.encoder(x, self.h)
        self.h = 0.5 * h + 0.5 * self.h  # expect: TL307
        return out


class Slot:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.carry = (None, None)

    def fit(self, chunks):
        self.model.train()
        for x, y in chunks:
            out, self.carry = self.model(x, (self.carry[0], self.carry[1]))  # expect: TL307
            self.optimizer.zero_grad()
            F.mse_loss(out, y).backward(retain_graph=True)
            self.optimizer.step()


def remember(model, batches, optimizer):
    global memory
    model.train()
    for x, y in batches:
        out, memory = model(x, memory)  # expect: TL307
        loss = F.mse_loss(out, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
