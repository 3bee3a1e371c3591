"""The plain step is made where nothing was scaled, or with gradients that are no longer scaled."""

import torch


def one_test_for_both(model, criterion, optimizer, loader, half):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=half):
            loss = criterion(model(images), labels)
        if half:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        if half:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def asked_of_the_scaler(model, criterion, optimizer, loader, settings):
    scaler = torch.amp.GradScaler("cuda", enabled=settings.half)
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", enabled=settings.half):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        if scaler.is_enabled():
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def taken_out_first(model, criterion, optimizer, loader, clip):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        if clip is None:
            scaler.step(optimizer)
        else:
            scaler.unscale_(optimizer)
            if torch.isfinite(torch.nn.utils.clip_grad_norm_(model.parameters(), clip)):
                optimizer.step()
        scaler.update()


def none_in_sight(model, criterion, optimizer, loader, scaler=None):
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
