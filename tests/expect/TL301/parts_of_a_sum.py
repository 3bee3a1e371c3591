"""A backward pass from the sum of a dict shows that what is in it holds graphs."""

import torch
from torch.nn import functional as F


def parts_of(scores, labels):
    return {"labels": F.cross_entropy(scores, labels), "size": F.mse_loss(scores, torch.zeros_like(scores))}


def kept(model, optimizer, loader):
    history = []
    for x, y in loader:
        parts = parts_of(model(x), y)
        loss = sum(parts.values())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(parts["labels"])  # expect: TL301
    return history


def filled(model, optimizer, loader):
    history = []
    for x, y in loader:
        parts = {}
        parts["labels"] = label_loss = F.cross_entropy(model(x), y)
        parts["size"] = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        optimizer.step()
        history.append(label_loss)  # expect: TL301
    return history


def from_a_list(model, optimizer, loader):
    history = []
    for crops, y in loader:
        losses = []
        for crop in crops:
            loss = F.cross_entropy(model(crop), y)
            losses.append(loss)
        whole = sum(losses)
        optimizer.zero_grad()
        whole.backward()
        optimizer.step()
        history.append(whole / len(losses))  # expect: TL301
    return history


def numbers(model, optimizer, loader):
    history, shares, counts = [], [], []
    for x, y in loader:
        parts = parts_of(model(x), y)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        optimizer.step()
        history.append(parts["labels"].item())
        shares.append({name: part.detach() for name, part in parts.items()})
        counts.append({"loss": float(sum(parts.values())), "items": len(x)})
    return history, shares, counts


def lists_of_numbers(model, optimizer, loader):
    means = []
    for crops, y in loader:
        losses, plain = [], []
        for crop in crops:
            loss = F.cross_entropy(model(crop), y)
            losses.append(loss)
            plain.append(loss.item())
        optimizer.zero_grad()
        sum(losses).backward()
        optimizer.step()
        means.append(sum(plain) / len(losses))
    return means


def taken_from_elsewhere(model, optimizer, loader):
    rates, seen = [], []
    for x, y in loader:
        settings = {"rate": optimizer.param_groups[0]["lr"], "batch": y}
        parts = parts_of(model(x), y)
        optimizer.zero_grad()
        sum(parts.values()).backward()
        optimizer.step()
        rates.append(sum(settings.values()))
        seen.append(list(parts.keys()))
    return rates, seen
