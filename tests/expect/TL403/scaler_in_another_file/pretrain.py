"""The loop of masked pictures, with a window."""

import torch
from amp import LossScaler


def one_epoch(model, loader, optimizer, device, window):
    model.train(True)
    loss_scaler = LossScaler()
    optimizer.zero_grad()
    for number, (samples, _) in enumerate(loader):
        samples = samples.to(device, non_blocking=True)
        with torch.cuda.amp.autocast():
            loss, _, _ = model(samples, mask_ratio=0.75)
        loss /= window
        loss_scaler(loss, optimizer, parameters=list(model.parameters()), update=(number + 1) % window == 0)
        if (number + 1) % window == 0:
            optimizer.zero_grad()
