"""The largest values of an output hold its graph; their indices hold none."""

import torch


def with_a_method(model, criterion, optimizer, loader):
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        total += out.max(dim=1)[0].mean()  # expect: TL302
    return total


def with_a_function(model, criterion, optimizer, loader):
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        best, _ = torch.topk(out, 5)
        total += best.mean()  # expect: TL302
    return total


def of_numbers(model, criterion, optimizer, loader):
    right, above, certain = 0, 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        _, where = out.topk(5)
        right += (out.max(1)[1] == y).sum()
        above += where.float().mean()
        certain += torch.max(out.detach(), 1)[0].sum()
    return right, above, certain
