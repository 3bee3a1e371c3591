"""Items that are set by their position, by other means, or on the host."""

import numpy as np
import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


class Mixer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.seen = {}

    def forward(self, x, ids):
        hidden = self.layer(x)
        hidden[:, 0] = 0.0
        hidden[ids] = 1.0
        hidden[:, 1:] += 1
        hidden[..., : x.shape[1] // 2] = 2.0
        hidden = hidden.masked_fill(x == 0, 0.0)
        hidden = torch.where(torch.isnan(hidden), torch.zeros_like(hidden), hidden)
        self.seen["last"] = x.shape
        places = torch.arange(x.shape[1])
        places[places > 3] = 3
        if not self.training:
            hidden[x < 0] = 0.0
        return hidden


def collate(items):
    labels = torch.stack(items)
    labels[labels == 0] = -100
    return labels


def run(loader, width):
    device = xm.xla_device()
    model = Mixer(width).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    sums = np.zeros(10)
    for step, (x, ids, labels) in enumerate(pl.MpDeviceLoader(loader, device)):
        loss = F.cross_entropy(model(x, ids), labels, ignore_index=0)
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
        sums[step % 10] += 1
        sums[sums > 9] = 0
        if step % 100 == 0:
            plain = labels.cpu()
            plain[plain == 0] = -1
            print(plain, sums)
