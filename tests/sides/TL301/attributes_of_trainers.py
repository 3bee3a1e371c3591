"""Losses that a method puts into an attribute: which methods empty it, and when they run."""

import torch
import torch.nn.functional as F


class NeverEmptied:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)  # expect: TL301

    def fit(self, loader):
        for x, y in loader:
            self.step(x, y)


class EmptiedByAMethodInEveryRound:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def report(self):
        print(torch.stack(self.losses).mean().item())
        self.losses.clear()

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)

    def fit(self, loader):
        for x, y in loader:
            self.step(x, y)
            self.report()


class AnotherListIsEmptied:
    def __init__(self, model):
        self.model, self.losses, self.times = model, [], []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def report(self):
        print(sum(self.times))
        self.times.clear()

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)  # expect: TL301

    def fit(self, loader):
        for x, y in loader:
            self.step(x, y)
            self.report()


class BoundAnewInEveryRound:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def report(self):
        self.losses = []

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)

    def fit(self, loader):
        for x, y in loader:
            self.step(x, y)
            self.report()


class JoinedWithMore:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def more(self):
        self.losses = self.losses + [torch.zeros(())]

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)  # expect: TL301

    def fit(self, loader):
        for x, y in loader:
            self.step(x, y)
            self.more()


class EmptiedByTheMethodItself:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def report(self):
        self.losses.clear()

    def step(self, x, y):
        loss = F.cross_entropy(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)
        if len(self.losses) == 100:
            self.report()

    def fit(self, loader):
        for x, y in loader:
            self.step(x, y)


class FilledInALoopOfItsOwn:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.losses.append(loss)  # expect: TL301


class EmptiedInALoopOfItsOwn:
    def __init__(self, model):
        self.model, self.losses = model, []
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def report(self):
        self.losses.clear()

    def fit(self, loader):
        for x, y in loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.losses.append(loss)
            self.report()


class Recorder:
    def __init__(self):
        self.values = []

    def add(self, value):
        self.values.append(value)

    def reset(self):
        self.values = []


def keeps_all(model, loader, optimizer):
    recorder = Recorder()
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.add(loss)  # expect: TL301


def resets_in_every_round(model, loader, optimizer):
    recorder = Recorder()
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.add(loss)
        recorder.reset()


def recorder_of_each_round(model, loader, optimizer):
    for x, y in loader:
        recorder = Recorder()
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.add(loss)


def keeps_numbers(model, loader, optimizer):
    recorder = Recorder()
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recorder.add(loss.item())
