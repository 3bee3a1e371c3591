"""The backward pass goes through a model that is frozen: the optimizer that steps holds another one."""

import torch
from torch import nn


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 8), nn.BatchNorm1d(8), nn.Dropout(0.1))

    def forward(self, images):
        return self.layers(images)


def in_two_stages(images, noises):
    coder, denoiser = Coder(), Coder()
    first = torch.optim.Adam(coder.parameters())
    for _ in range(10):
        coder.train()
        for batch in images:
            first.zero_grad()
            coder(batch).sum().backward()
            first.step()

    second = torch.optim.Adam(params=denoiser.parameters(), lr=1e-4)
    for _ in range(10):
        denoiser.train()
        coder.eval()
        for batch in images:
            second.zero_grad()
            (denoiser(coder(batch)) - noises).sum().backward()
            second.step()
        with torch.no_grad():
            coder(noises)


def swap(to_train, to_freeze):
    for parameter in to_freeze.parameters():
        parameter.requires_grad = False
    for parameter in to_train.parameters():
        parameter.requires_grad = True
    to_freeze.eval()
    to_train.train()


def in_turns(images, held_out):
    one, other = Coder(), Coder()
    for_one = torch.optim.Adam(one.parameters())
    for_other = torch.optim.Adam(other.parameters())
    for epoch in range(10):
        swap(one, other)
        for batch in images:
            for_one.zero_grad()
            other(one(batch)).sum().backward()
            for_one.step()
        if epoch % 5 == 0:
            with torch.no_grad():
                other(one(held_out))
        swap(other, one)
        for batch in images:
            for_other.zero_grad()
            other(one(batch)).sum().backward()
            for_other.step()
