"""Two models, and the optimizer that steps holds both, or the one that was left in evaluation mode."""

import itertools

import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 8), nn.BatchNorm1d(8), nn.Dropout(0.1))

    def forward(self, images):
        return self.layers(images)


def together(images, held_out):
    coder, denoiser = Coder(), Coder()
    optimizer = torch.optim.Adam(itertools.chain(coder.parameters(), denoiser.parameters()))
    coder.train()
    for _ in range(10):
        denoiser.train()
        for batch in images:
            optimizer.zero_grad()
            denoiser(coder(batch)).sum().backward()
            optimizer.step()
        coder.eval()  # expect: TL705
        with torch.no_grad():
            coder(held_out)


def in_turns(images, held_out):
    one, other = Coder(), Coder()
    for_one = torch.optim.Adam(one.parameters())
    for_other = torch.optim.Adam(other.parameters())
    for _ in range(10):
        one.train()
        for batch in images:
            for_one.zero_grad()
            for_other.zero_grad()
            other(one(batch)).sum().backward()
            for_one.step()
            for_other.step()
        other.eval()  # expect: TL705
        with torch.no_grad():
            other(one(held_out))
