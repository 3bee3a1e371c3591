"""Scaled gradients that a plain step applies; scaled steps of gradients that are not."""

import torch
from torch.cuda.amp import GradScaler, autocast


def forgotten(model, loader, criterion, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    scaler = GradScaler()
    for x, y in loader:
        with autocast():
            loss = criterion(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        optimizer.step()  # expect: TL403
        scaler.update()


def in_one_branch(model, loader, optimizer, every, scaler):
    for number, batch in enumerate(loader):
        with autocast():
            loss = model(batch) / every
        scaled = scaler.scale(loss)
        scaled.backward()
        if number % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def always_on(model, loader, optimizer, every):
    scaler = GradScaler(init_scale=2.0**12)
    for number, batch in enumerate(loader):
        with autocast():
            loss = model(batch) / every
        scaler.scale(loss).backward()
        if number % every == 0:
            optimizer.step()  # expect: TL403
            optimizer.zero_grad()


def second_of_two(encoder, decoder, loader, criterion):
    for_encoder = torch.optim.Adam(encoder.parameters())
    for_decoder = torch.optim.Adam(decoder.parameters())
    scaler = GradScaler()
    for x, y in loader:
        for_encoder.zero_grad()
        for_decoder.zero_grad()
        with autocast():
            loss = criterion(decoder(encoder(x)), y)
        scaler.scale(loss).backward()
        scaler.step(for_encoder)
        for_decoder.step()  # expect: TL403
        scaler.update()


def nothing_scaled(model, loader, criterion, optimizer):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(x), y)
        loss.backward()
        scaler.step(optimizer)  # expect: TL403
        scaler.update()
