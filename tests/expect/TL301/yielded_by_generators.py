"""A generator trains, and yields the loss of each step: whoever collects these keeps the graphs."""

import torch


def steps(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        yield loss


def collected(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    for loss in steps(model, loader, optimizer):
        history.append(loss)  # expect: TL301
    return history


def numbered(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    for number, loss in enumerate(steps(model, loader, optimizer)):
        print(number)
        history.append(loss)  # expect: TL301
    return history


def values(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        yield loss.detach(), len(x)


def of_values(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    history = []
    for loss, _ in values(model, loader, optimizer):
        history.append(loss)
    return history


def last_one(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for loss in steps(model, loader, optimizer):
        print(loss.item())
