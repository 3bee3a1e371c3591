"""Items that a boolean mask picks are set."""

import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


def hide(labels, pad):
    labels[pad] = -100  # expect: TL502
    return labels


class Mixer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x, extra):
        hidden = self.layer(x)
        odd = torch.isnan(hidden)
        hidden[odd] = 0.0  # expect: TL502
        hidden[:, x.eq(0) & ~odd] += 1  # expect: TL502
        filled = torch.zeros_like(x)
        filled[~(x > 0)] = extra[~(x > 0)]  # expect: TL502
        return hidden + filled


def run(loader, width):
    device = xm.xla_device()
    model = Mixer(width).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, extra, labels in pl.MpDeviceLoader(loader, device):
        labels = hide(labels, labels == 0)
        loss = F.cross_entropy(model(x, extra), labels)
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
