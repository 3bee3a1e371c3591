import gradients
import torch
from gradients import clip_grad_norm_


def scaled(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(batch).mean()
        scaler.scale(loss).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def clamped(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(batch).mean()
        scaler.scale(loss).backward()
        gradients.clip_grad_value_(model.parameters(), 0.5)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def unscaled(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(batch).mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def unscaled_there(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(batch).mean()
        scaler.scale(loss).backward()
        gradients.unscaling(model.parameters(), 1.0, scaler, optimizer)
        scaler.step(optimizer)
        scaler.update()
