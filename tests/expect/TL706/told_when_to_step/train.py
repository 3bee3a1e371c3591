"""The caller counts, for the step and for the gradients that are cleared: two tests that are one."""

import torch
from scaling import Scaler


def one_epoch(model, loader, optimizer, loss_scaler, window):
    for i, x in enumerate(loader):
        loss = model(x).mean()
        loss_scaler(loss, optimizer, update_grad=(i + 1) % window == 0)
        if (i + 1) % window == 0:
            optimizer.zero_grad()


def main(model, loader):
    optimizer, scaler = torch.optim.SGD(model.parameters(), lr=0.1), Scaler()
    for _ in range(10):
        one_epoch(model, loader, optimizer, scaler, 4)
