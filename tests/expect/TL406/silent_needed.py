"""Scalers that have work to do, or do none."""

import torch


def off(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def by_hardware(model, optimizer, loader):
    kind = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    scaler = torch.amp.GradScaler("cuda", enabled=kind is torch.float16)
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=kind):
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def default(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(x).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def two_precisions(encoder, decoder, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            hidden = encoder(x)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = decoder(hidden).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
