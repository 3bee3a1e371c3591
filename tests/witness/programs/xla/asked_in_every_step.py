"""The loss is fetched in every step."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


def train(steps):
    device = torch_xla.device()
    loader = pl.MpDeviceLoader(DataLoader(torch.ones(4 * steps, 4), batch_size=4, drop_last=True), device)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    total = 0.0
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        total += loss.item()  # expect: TL504
    return total
