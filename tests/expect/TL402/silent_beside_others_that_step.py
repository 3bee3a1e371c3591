"""The scale is taken out before the clip, by the scaler or by who got it."""

import torch
from stages import Unscaler


def timed(model, criterion, optimizer, loader, timer, clip):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        timer.step()
        if images is None:
            continue
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        timer.step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        scaler.step(optimizer)
        scaler.update()


def by_who_got_it(model, criterion, optimizer, loader, clip):
    scaler = torch.amp.GradScaler("cuda")
    unscaler = Unscaler(scaler, optimizer)
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        unscaler.before_step()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        scaler.step(optimizer)
        scaler.update()
