"""On the host, once in a while, in evaluation: no new program for each batch."""

import numpy as np
import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


class Counting(nn.Module):
    def forward(self, x):
        if not self.training:
            return x[x > 0].sum()
        return x.sum()


def on_the_host(loader, model, optimizer, device):
    for x, y in loader:
        keep = y >= 0
        rows = torch.nonzero(keep)
        x, y = x[keep], y[keep]
        optimizer.zero_grad()
        loss = model(x.to(device), y.to(device), len(rows))
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)


def now_and_then(loader, optimizer, device):
    model = Counting().to(device)
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, device)):
        loss = model(x)
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
        if step % 50 == 0:
            print(torch.unique(y), loss[loss > 0].mean())
        counts = np.unique(y.cpu().numpy())
        kinds = y.cpu().unique()
        print(len(counts), kinds)


def evaluated(loader, model, device):
    hits = 0
    with torch.no_grad():
        for x, y in pl.MpDeviceLoader(loader, device):
            valid = y >= 0
            hits += (model(x)[valid] == y[valid]).sum()
    return hits


def reported(x, valid):
    """Called from nowhere that is known to be on XLA."""
    return x[valid > 0], torch.nonzero(valid)
