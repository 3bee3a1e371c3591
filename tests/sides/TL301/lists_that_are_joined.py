"""Lists that grow by joining, lists chosen from two, lists of the file: what makes them longer from round to round, and what not."""

import torch.nn.functional as F

HISTORY = []


def step(model, optimizer, x, y):
    loss = F.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def list_of_the_file(model, loader, optimizer):
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        HISTORY.append(loss)  # expect: TL301


def joined(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses = losses + [loss]  # expect: TL301
    return losses


def joined_in_place(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses += [loss]  # expect: TL301
    return losses


def bound_to_one(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses = [loss]
    return losses


def joined_with_numbers(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses = losses + [loss.item()]
    return losses


def cut_and_joined(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses = losses[-99:] + [loss]
    return losses


def extended(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses.extend([loss, 2 * loss])  # expect: TL301
    return losses


def put_in_front(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses.insert(0, loss)  # expect: TL301
    return losses


def in_two_epochs(model, loader, optimizer, epochs):
    losses = []
    for _ in range(epochs):
        for x, y in loader:
            loss = step(model, optimizer, x, y)
            losses.append(loss)  # expect: TL301
    return losses


def anew_in_each_epoch_of_one_batch(model, loader, optimizer, epochs):
    for _ in range(epochs):
        losses = []
        x, y = next(loader)
        loss = step(model, optimizer, x, y)
        losses.append(loss)
        print(losses[0].item())


def emptied_by_a_cut(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses.append(loss)
        if len(losses) == 100:
            losses = []


def emptied_by_del(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = step(model, optimizer, x, y)
        losses.append(loss)
        del losses[:-10]


def one_of_two_lists(model, loader, optimizer, warm):
    early, late = [], []
    for i, (x, y) in enumerate(loader):
        loss = step(model, optimizer, x, y)
        losses = early if i < warm else late
        losses.append(loss)  # expect: TL301
    return early, late
