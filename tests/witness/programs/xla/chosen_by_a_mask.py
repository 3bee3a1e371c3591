"""How many rows are left depends on the values, so that each batch is another program."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


def train(steps):
    device = torch_xla.device()
    data = [torch.cat((torch.ones(1 + k, 4), torch.zeros(steps - k, 4))) for k in range(steps)]
    loader = pl.MpDeviceLoader(DataLoader(data, batch_size=1, shuffle=False, drop_last=True), device)
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        known = x[x[..., 0] > 0]
        optimizer.zero_grad()
        model(known).square().mean().backward()  # expect: TL502
        optimizer.step()
