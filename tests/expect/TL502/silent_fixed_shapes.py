"""What keeps its shape, whatever the values are."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch.nn import functional as F


class Blending(nn.Module):
    def __init__(self, width, limit=None, deep=False):
        super().__init__()
        self.table = nn.Embedding(100, width)
        self.limit = limit
        self.deep = deep
        self.positions = torch.arange(512)

    def forward(self, x, ids, mask=None):
        pad = x == 0
        hidden = x.masked_fill(pad, 0.0)
        hidden = torch.where(pad, hidden, x * 2)
        hidden = hidden * pad.logical_not()
        if mask is not None:
            hidden = hidden * mask
        if x.shape[1] > 10 or x.dim() == 2:
            hidden = hidden.flatten(1)
        if self.limit is not None and self.limit > 3:
            hidden = hidden[:, :3]
        if self.deep:
            hidden = F.relu(hidden)
        first = hidden[:, 0]
        ordered = hidden[ids]
        known = self.positions[: x.size(1)]
        return first.sum() + ordered.sum() + known.sum() + pad.any().float() + torch.all(pad, dim=1).sum()


def run(loader, width):
    device = xm.xla_device()
    model = Blending(width).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, ids in pl.MpDeviceLoader(loader, device):
        loss = model(x, ids)
        weights = (ids != -100).float()
        loss = (loss * weights).sum() / weights.sum()
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
