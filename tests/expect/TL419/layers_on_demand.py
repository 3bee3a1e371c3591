"""Models that have a recurrent part if a configuration asks for it."""

import torch
from torch import nn


class Update(nn.Module):
    def __init__(self, width, kind):
        super().__init__()
        if kind == "recurrent":
            self.inner = nn.GRU(width, width)
        else:
            self.inner = nn.Linear(width, width)

    def forward(self, rows):
        return self.inner(rows)


class Network(nn.Module):
    def __init__(self, width, kind):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.update = Update(width, kind)

    def forward(self, rows):
        return self.update(self.first(rows))


def train(args, loader):
    model = Network(args.width, args.kind)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for rows, wanted in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(rows), wanted).backward()
        optimizer.step()  # expect-likely: TL419
