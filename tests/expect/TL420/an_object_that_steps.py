"""A scaler of timm clips before it steps, if it is told to."""

import torch
from timm.utils import NativeScaler


def fit(model, optimizer, loader):
    loss_scaler = NativeScaler()
    for x in loader:
        optimizer.zero_grad()
        loss_scaler(model(x).mean(), optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: TL420


def fits(model, optimizer, loader):
    loss_scaler = NativeScaler()
    for x in loader:
        optimizer.zero_grad()
        loss_scaler(model(x).mean(), optimizer, clip_grad=1.0, parameters=model.parameters())
