"""A checkpoint of tensors that lie on an XLA device: it says so, and is put there again."""

import os

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch.utils.data import DataLoader


def train(steps):
    device = torch_xla.device()
    loader = DataLoader(torch.ones(4 * steps, 4), batch_size=4, drop_last=True)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x.to(device)).square().mean().backward()
        xm.optimizer_step(optimizer, barrier=True)
    torch.save(model.state_dict(), os.environ["WITNESS_FILE"])  # expect: TL508
