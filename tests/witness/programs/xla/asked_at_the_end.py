"""The losses are summed on the device, and fetched once."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


def train(steps):
    device = torch_xla.device()
    loader = pl.MpDeviceLoader(DataLoader(torch.ones(4 * steps, 4), batch_size=4, drop_last=True), device)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = torch.zeros((), device=device)
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return total.item()
