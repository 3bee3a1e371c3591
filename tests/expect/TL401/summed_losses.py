"""The loss is a sum of parts that were collected before."""

import torch
from torch.nn import functional as F


def parts_of(scores, labels):
    return {"labels": F.cross_entropy(scores, labels), "size": scores.square().mean()}


def all_values(model, optimizer, loader):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            parts = parts_of(model(x), y)
        loss = sum(parts.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def one_after_the_other(model, optimizer, loader):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            parts = parts_of(model(x), y)
        loss = 0.0
        for name, part in parts.items():
            if name != "size":
                loss = loss + part
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_key(model, criterion, optimizer, loader, weights):
    for x, y in loader:
        with torch.autocast("cuda"):  # expect: TL401
            parts = criterion(model(x), y)
        loss = sum(parts[name] * weights[name] for name in parts.keys() if name in weights)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def from_a_list(model, optimizer, loader):
    for crops, y in loader:
        losses = []
        for crop in crops:
            with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
                scores = model(crop)
            losses.append(F.cross_entropy(scores.float(), y))
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()
        optimizer.step()


def filled_by_name(model, optimizer, loader):
    for x, y in loader:
        losses = {}
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            scores = model(x)
            losses["labels"] = F.cross_entropy(scores, y)
        losses["size"] = scores.float().square().mean()
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()


def several_steps(model, optimizer, film):
    loss = 0
    for number, (x, y) in enumerate(film):
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            scores = model(x)
        loss += F.cross_entropy(scores.float(), y)
        if number % 4 == 3:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss = 0
