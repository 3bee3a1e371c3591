"""``getattr`` with a name that the file holds as a constant is that attribute; a name that a function changes is not."""

import torch

KIND = "SGD"
CHOSEN = "zero_grad"


def choose(name):
    global CHOSEN
    CHOSEN = name


def fit(model, loader, criterion):
    optimizer = getattr(torch.optim, KIND)(model.parameters(), lr=0.1)
    for x, y in loader:
        criterion(model(x), y).backward()
        optimizer.step()  # expect: TL701


def emptied(model, loader, criterion):
    optimizer = getattr(torch.optim, KIND)(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()


def chosen(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        getattr(optimizer, CHOSEN)()
        criterion(model(x), y).backward()
        optimizer.step()
