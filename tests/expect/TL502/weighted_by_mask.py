"""A mask goes through a few hands before it picks."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


class Reader(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), Norm(width))

    def forward(self, tokens, features):
        return self.layers(features).mean() + self.rest(features, self.unknown(tokens))

    def unknown(self, tokens):
        odd = torch.isnan(tokens) | tokens.lt(0)
        return odd.unsqueeze(-1).expand_as(tokens)

    def rest(self, features, odd):
        return features[:, odd].sum()  # expect: TL502


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        if torch.isnan(x).any():  # expect: TL502
            print("not a number")
        return x * self.weight


def run(loader, width):
    device = xm.xla_device()
    model = Reader(width).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for tokens, features in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(tokens, features).backward()
        xm.optimizer_step(optimizer)
