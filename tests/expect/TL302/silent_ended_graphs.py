"""The graph ends on the way to the total."""

import torch
import torch.distributed as dist


def numbers(model, loader, optimizer, criterion):
    a = b = c = d = e = f = g = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        a += loss.item()
        b += loss.detach() * x.size(0)
        c += float(loss)
        d += loss.data
        e += loss.detach().cpu().numpy()
        f += loss.cpu().tolist()
        g = g + loss.clone().detach()
    return a, b, c, d, e, f, g


def replaced_before(model, loader, optimizer, criterion):
    total = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        loss = loss.detach().clone()
        total += loss
    return total


def taken_before_the_division(model, loader, optimizer, criterion, steps):
    shown = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        value = loss.detach()
        loss = loss / steps
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        shown += value
    return shown


def added_without_gradients(model, loader, optimizer, criterion):
    total = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        with torch.no_grad():
            total += loss
            mean = loss / len(y)
        total += mean
    return total


@torch.no_grad()
def reduced(value, world):
    value = value.clone()
    dist.all_reduce(value)
    return value / world


def reduced_without_gradients(model, loader, optimizer, criterion, world):
    total = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += reduced(loss, world)
    return total


def gathered(model, loader, optimizer, criterion, accelerator):
    total = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        total += accelerator.gather(loss.repeat(len(y))).mean()
    return total


def split(criterion, output, target):
    """The loss, and its parts for the log."""
    box, kind = criterion.box(output, target), criterion.kind(output, target)
    return box + kind, torch.stack((box, kind)).detach()


def parts_from_a_helper(model, loader, optimizer, criterion):
    mean = 0
    for i, (x, y) in enumerate(loader):
        loss, items = split(criterion, model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        mean = (mean * i + items) / (i + 1)
    return mean


def detached_total(model, loader, optimizer, criterion):
    total = torch.zeros(())
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total = (total + loss).detach()
        total += loss
        total = total.detach()
    return total
