"""With windows of several rounds in one arm, and one step a round in the other: the gradients are emptied before each of these."""

import torch


def train(model, loader, criterion, settings):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler()
    for number, (inputs, targets) in enumerate(loader):
        with torch.amp.autocast("cuda"):
            loss = criterion(model(inputs), targets)
        if settings.accumulation_steps > 1:
            loss = loss / settings.accumulation_steps
            scaler.scale(loss).backward()
            if (number + 1) % settings.accumulation_steps == 0:
                scaler.step(optimizer)
                optimizer.zero_grad()
                scaler.update()
        else:
            optimizer.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()


def one_call(model, loader, criterion, settings, apply):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for number, (inputs, targets) in enumerate(loader):
        loss = criterion(model(inputs), targets)
        if settings.accumulation_steps > 1:
            loss = loss / settings.accumulation_steps
            loss.backward()
            if (number + 1) % settings.accumulation_steps == 0:
                optimizer.step()
                optimizer.zero_grad()
        else:
            optimizer.zero_grad()
            loss.backward()
            if (number + 1) % settings.accumulation_steps == 0:
                optimizer.step()
