"""Sums of parts that are scaled, that never saw float16, or of which no gradient goes back to it."""

import torch
from torch.nn import functional as F


def parts_of(scores, labels):
    return {"labels": F.cross_entropy(scores, labels), "size": scores.square().mean()}


def scaled(model, optimizer, loader, scaler):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            parts = parts_of(model(x), y)
        optimizer.zero_grad()
        scaler.scale(sum(parts.values())).backward()
        scaler.step(optimizer)
        scaler.update()


def another_precision(model, optimizer, loader):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            parts = parts_of(model(x), y)
        loss = 0.0
        for part in parts.values():
            loss = loss + part
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def narrow_teacher(teacher, student, optimizer, loader):
    for x, y in loader:
        with torch.no_grad(), torch.autocast("cuda", dtype=torch.float16):
            taught = teacher(x)
        losses = {"labels": F.cross_entropy(student(x), y)}
        losses["taught"] = F.mse_loss(student(x), taught.float())
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()


def head_on_top(trunk, head, optimizer, loader, criterion):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            found = trunk(x)
        losses = []
        for level in found.values():
            losses.append(criterion(head(level.float()), y))
        optimizer.zero_grad()
        sum(losses).backward()
        optimizer.step()


def only_measured(model, optimizer, loader):
    total = 0.0
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            with torch.no_grad():
                measured = parts_of(model(x), y)
        for part in measured.values():
            total = total + part
        loss = F.cross_entropy(model(x), y) + total.detach()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def scaled_in_the_sum(model, optimizer, loader, factor):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            parts = parts_of(model(x), y)
        loss = sum(parts.values()) * factor
        optimizer.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            parameter.grad.div_(factor)
        optimizer.step()
