"""Slices whose bounds are shapes, settings, or read before the batch is on the device."""

import argparse

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


def half(x):
    return x.shape[1] // 2


class Reader(nn.Module):
    def __init__(self, width, limit):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.limit = limit
        self.shift = 3

    def forward(self, tokens, counts, width=128, past=None):
        left = tokens[:, : tokens.shape[1] // 2]
        right = tokens[:, half(tokens) :]
        near = tokens[:, : min(self.limit, tokens.size(1))]
        rows = tokens[: len(tokens) - self.shift]
        some = tokens[:, :width]
        every = tokens[:, :: self.shift]
        known = tokens[:, past.shape[2] if past is not None else 0 :]
        parts = [tokens[:, start : start + 16].sum() for start in range(0, tokens.size(1), 16)]
        picked = tokens[torch.arange(len(tokens)), counts - 1]
        fixed = tokens[:, : int(0.5 * width)] + tokens[:, : int(tokens.shape[1] * 0.5)]
        return self.layer(left) + right + near + rows + some + every + known + sum(parts) + picked + fixed


def collate(items):
    longest = torch.tensor([len(item) for item in items]).max().item()
    return torch.stack([item[:longest] for item in items])


def trim_on_the_host(loader, model, optimizer, device):
    for tokens, counts in loader:
        kept = tokens[:, : counts.max().item()].contiguous()
        model(kept.to(device)).sum().backward()
        xm.optimizer_step(optimizer, barrier=True)


def run(loader, options: argparse.Namespace):
    device = xm.xla_device()
    model = Reader(options.width, options.limit).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, batch in enumerate(pl.MpDeviceLoader(loader, device)):
        tokens, counts = batch["tokens"], batch["counts"]
        loss = model(tokens[:, : options.limit], counts[: min(batch["limit"], 9)]).sum()
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
        if step % 100 == 0:
            print(tokens[0, : counts.max().item()].tolist())
