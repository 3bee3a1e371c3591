"""A scaler of timm steps for each window of batches, and each batch clears the gradients."""

import torch
from timm.utils import NativeScaler


def fit(model, optimizer, loader, every):
    loss_scaler = NativeScaler()
    for i, x in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        loss = model(x).mean() / every
        loss_scaler(loss, optimizer, parameters=model.parameters(), need_update=(i + 1) % every == 0)


def fits(model, optimizer, loader, every):
    loss_scaler = NativeScaler()
    for i, x in enumerate(loader):
        if i % every == 0:
            optimizer.zero_grad()
        loss = model(x).mean() / every
        loss_scaler(loss, optimizer, parameters=model.parameters(), need_update=(i + 1) % every == 0)
