"""The code asks whether it runs on XLA, and does otherwise there."""

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch import nn


def on_xla(tensor):
    return torch.is_tensor(tensor) and tensor.device.type == "xla"


class Careful(nn.Module):
    def __init__(self, tpu):
        super().__init__()
        self.tpu = tpu

    def forward(self, x):
        odd = torch.isnan(x)
        if on_xla(x) or odd.any():
            x = torch.where(odd, torch.zeros_like(x), x)
        if not self.tpu:
            print(x[odd].numel(), torch.nonzero(odd))
        return self.summed(x)

    def summed(self, x):
        positive = x > 0
        if on_xla(x):
            return (x * positive).sum()
        return x[positive].sum() + x.masked_select(positive).sum()


def run(loader):
    device = xm.xla_device()
    model = Careful(tpu=True).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).backward()
        xm.optimizer_step(optimizer)
