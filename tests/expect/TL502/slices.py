"""Slices that are as long as a tensor's values say."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


def longest(counts):
    return counts.max()


class Reader(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, tokens, counts):
        words = tokens[:, : counts.max().item()]  # expect: TL502
        first = int(counts[0]) + 1  # expect: TL502
        head = tokens[0, :first]
        mask = tokens.ne(0)
        end = max(1, mask.sum(dim=1).max().cpu().item())  # expect: TL502
        tail = torch.narrow(tokens[:, end:], 1, 0, 1)
        return self.layer(words), head.sum() + tail.sum() + self.cut(tokens, longest(counts))

    def cut(self, tokens, limit):
        return self.layer(tokens[:, :limit])  # expect: TL502


def ragged(scores, counts):
    total = 0.0
    for row, count in enumerate(counts.tolist()):  # expect: TL502
        total = total + torch.log(scores[row, :count]).sum()
    return total


def run(loader, width):
    device = xm.xla_device()
    model = Reader(width).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for tokens, counts in pl.MpDeviceLoader(loader, device):
        scores, rest = model(tokens, counts)
        wide = tokens.new_zeros(tokens.shape)
        wide[:, : counts.min() + 1] = 1  # expect: TL502
        optimizer.zero_grad()
        (ragged(scores, counts) + rest + wide.sum()).backward()
        xm.optimizer_step(optimizer)
