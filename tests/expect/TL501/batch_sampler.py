"""The batch sampler keeps the short batch, not the loader."""

import torch_xla.core.xla_model as xm
from torch.utils.data import BatchSampler, DataLoader, DistributedSampler, SequentialSampler


def fit(model, optimizer, images, device):
    order = SequentialSampler(images)
    loader = DataLoader(images, batch_sampler=BatchSampler(order, batch_size=32, drop_last=False))  # expect: TL501
    for x, y in loader:
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer, barrier=True)


def fit_even(model, optimizer, images, epochs):
    order = DistributedSampler(images)
    loader = DataLoader(images, batch_sampler=BatchSampler(order, 32, True))
    for epoch in range(epochs):
        order.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            model(x, y).backward()
            xm.optimizer_step(optimizer, barrier=True)
