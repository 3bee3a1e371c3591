"""A scaler of timm steps, and the scheduler is behind it, or in front."""

import torch
from timm.utils import NativeScaler


def fit(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 100)
    loss_scaler = NativeScaler()
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()
        scheduler.step()  # expect: TL703
        loss_scaler(loss, optimizer)


def fits(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 100)
    loss_scaler = NativeScaler()
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()
        loss_scaler(loss, optimizer)
        scheduler.step()
