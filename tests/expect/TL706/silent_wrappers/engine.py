"""The loss is divided in place, in one of two branches where there is a window at all."""

import torch
from amp import NativeScaler


def in_place(model, loader, optimizer, accum_iter):
    loss_scaler = NativeScaler()
    for number, (images, _) in enumerate(loader):
        if number % accum_iter == 0:
            optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = (model(images) - images).square().mean()
        loss /= accum_iter
        loss_scaler(loss, optimizer, parameters=model.parameters(), update_grad=(number + 1) % accum_iter == 0)


def in_branches(model, criterion, loader, optimizer, config):
    loss_scaler = NativeScaler()
    for number, (images, targets) in enumerate(loader):
        outputs = model(images)
        if config.steps > 1:
            loss = criterion(outputs, targets) / config.steps
            loss_scaler(loss, optimizer, config.clip, model.parameters(), (number + 1) % config.steps == 0)
            if (number + 1) % config.steps == 0:
                optimizer.zero_grad()
        else:
            loss = criterion(outputs, targets)
            optimizer.zero_grad()
            loss_scaler(loss, optimizer, config.clip, model.parameters(), (number + 1) % config.steps == 0)
