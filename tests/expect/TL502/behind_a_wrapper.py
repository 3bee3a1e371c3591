"""The model is wrapped twice; a helper outside of any class does it."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch import nn
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel as FSDP


def compact(values):
    present = values != 0
    where = torch.argwhere(present)  # expect: TL502
    return values[present].sum(), where  # expect: TL502


class Pooling(nn.Module):
    def forward(self, values):
        total, _ = compact(values.float())
        return total


def train(loader, optimizer):
    device = torch_xla.device()
    model = torch.compile(FSDP(Pooling().to(device)), backend="openxla")
    for values in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(values).backward()
        optimizer.step()
