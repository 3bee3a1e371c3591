"""The last batch of each epoch is shorter, so that everything is compiled once more for it."""

import torch
import torch_xla
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


def train(epochs):
    device = torch_xla.device()
    data = [(torch.ones(4), torch.ones(1)) for _ in range(20)]
    loader = pl.MpDeviceLoader(DataLoader(data, batch_size=8, shuffle=True), device)  # expect: TL501
    model = torch.nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
