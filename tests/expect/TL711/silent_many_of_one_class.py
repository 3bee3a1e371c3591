"""More objects of one class are made than are told apart: each steps the optimizer that it was given, behind the loop."""

import torch


class Fitter:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def accumulate(self, loader):
        self.optimizer.zero_grad()
        for x, y in loader:
            torch.nn.functional.mse_loss(self.model(x), y).backward()
        self.optimizer.step()


def first(loader):
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def second(loader):
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def third(loader):
    model = torch.nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def fourth(loader):
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def fifth(loader):
    model = torch.nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def sixth(loader):
    model = torch.nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.6)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def seventh(loader):
    model = torch.nn.Linear(7, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.7)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def eighth(loader):
    model = torch.nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.8)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)


def ninth(loader):
    model = torch.nn.Linear(9, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.9)
    fitter = Fitter(model, optimizer)
    for _ in range(10):
        fitter.accumulate(loader)
