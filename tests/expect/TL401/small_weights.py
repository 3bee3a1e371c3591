"""A weight below one in front of a loss scales nothing up; a large one does."""

import torch


def on_the_left(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = 0.5 * model(batch).mean()
        loss.backward()
        optimizer.step()


def on_the_right(model, loader, optimizer):
    weight = -1
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = model(batch).mean() * weight
        loss.backward()
        optimizer.step()


def scaled(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean() * 1024
        loss.backward()
        optimizer.step()
