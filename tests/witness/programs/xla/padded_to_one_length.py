"""Every batch is as long as the longest item there can be: one program."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader

LONGEST = 64


def together(items):
    batch = torch.zeros(len(items), LONGEST, 4)
    for row, item in zip(batch, items, strict=True):
        row[: len(item)] = item
    return batch


def train(steps):
    device = torch_xla.device()
    data = [torch.ones(1 + k, 4) for k in range(2 * steps)]
    loader = pl.MpDeviceLoader(DataLoader(data, batch_size=2, shuffle=False, drop_last=True, collate_fn=together), device)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
