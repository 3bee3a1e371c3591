"""A model of three layers, two of which stand in a list; the last one alone cannot bring the loss down."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []  # expect: TL714
        for _ in range(2):
            self.layers.append(nn.Linear(4, 4))
        self.last = nn.Linear(4, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return self.last(x)


def train(steps):
    torch.manual_seed(0)
    model = Model()
    before = [layer.weight.detach().clone() for layer in model.layers]
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    samples = torch.randn(64, 4)
    wanted = (samples[:, :1] * samples[:, 1:2]).sign()
    losses = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(model(samples), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    moved = [(layer.weight - weight).abs().max().item() for layer, weight in zip(model.layers, before, strict=True)]
    return {"losses": losses, "moved": moved, "saved": sorted(model.state_dict())}
