"""The loop, which sees none of it."""

import torch
from scaling import NativeScaler


def train_one_epoch(model, criterion, loader, optimizer, every, clip):
    loss_scaler = NativeScaler()
    optimizer.zero_grad()
    for step, (samples, targets) in enumerate(loader):
        with torch.cuda.amp.autocast():
            loss = criterion(model(samples), targets) / every
        last = (step + 1) % every == 0
        loss_scaler(loss, optimizer, clip_grad=clip, parameters=model.parameters(), update_grad=last)
        if last:
            optimizer.zero_grad()
