"""Every core makes its steps with its own gradients, so that the copies of the model drift apart."""

import os
from pathlib import Path

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.runtime as xr
from torch.utils.data import DataLoader


def run(index, steps):
    device = torch_xla.device()
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    data = DataLoader([torch.full((4,), 1.0 + xr.global_ordinal())] * 4 * steps, batch_size=4, drop_last=True)
    for x in pl.MpDeviceLoader(data, device):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()  # expect: TL506
    total = sum(weight.sum() for weight in model.parameters())
    Path(f"{os.environ['WITNESS_FILE']}.{xr.global_ordinal()}").write_text(f"{total.item():.6f}", encoding="utf-8")


def train(steps):
    torch_xla.launch(run, args=(steps,))


if __name__ == "__main__":
    train(3)
