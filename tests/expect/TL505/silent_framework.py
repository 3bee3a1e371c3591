"""Accelerate prepares the loader, and ends the steps of its optimizer."""

import torch
import torch_xla.core.xla_model as xm
from accelerate import Accelerator


def train(loader, model):
    accelerator = Accelerator()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x in loader:
        optimizer.zero_grad()
        accelerator.backward(model(x.to(xm.xla_device())).sum())
        optimizer.step()
