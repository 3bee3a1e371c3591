"""Whether a window is full is asked in a function of its own."""

import torch.nn.functional as F


def is_full(number, size):
    return (number + 1) % size == 0


def is_full_or_last(number, size, total):
    return (number + 1) % size == 0 or number + 1 == total


def left_behind(model, loader, optimizer, size):
    optimizer.zero_grad()
    for index, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / size).backward()
        if is_full(index, size):
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def applied(model, loader, optimizer, size):
    optimizer.zero_grad()
    for index, (x, y) in enumerate(loader):
        (F.cross_entropy(model(x), y) / size).backward()
        if is_full_or_last(index, size, len(loader)):
            optimizer.step()
            optimizer.zero_grad()
