"""A whole dict of losses, or losses by keyword, are handed to a method that adds up each of them."""

from collections import defaultdict

import torch


class Tracker:
    def __init__(self):
        self.totals = defaultdict(float)
        self.now = None

    def add(self, values):
        for name, value in values.items():
            self.totals[name] += value

    def add_named(self, step=None, **values):
        for name, value in values.items():
            self.totals[name] = self.totals[name] + value

    def add_numbers(self, **values):
        for name, value in values.items():
            if isinstance(value, torch.Tensor):
                value = value.item()
            self.totals[name] += value

    def add_some(self, values):
        for name, value in values.items():
            if name == "accuracy":
                self.totals[name] += value

    def show(self, values):
        for name in values:
            self.now = values[name]


def train(model, loader, criterion, optimizer):
    tracker = Tracker()
    for number, (x, y) in enumerate(loader):
        losses = criterion(model(x), y)
        loss = losses["loss"]
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        tracker.add(losses)  # expect: TL302
        tracker.add({"loss": loss, "size": len(x)})  # expect: TL302
        tracker.add_named(step=number, loss=loss)  # expect: TL302
        tracker.add_named(step=loss, size=len(x))
        tracker.add_named(loss=loss.item())
        tracker.add_numbers(loss=loss)
        tracker.add_some(losses)
        tracker.show(losses)
        tracker.add({"loss": loss.item()})
        tracker.add({name: float(value) for name, value in losses.items()})


class Meter:
    def __init__(self):
        self.total = self.count = 0

    def update(self, value):
        self.total += value
        self.count += 1


class Log:
    """Meters are made when there is none for a name yet."""

    def __init__(self):
        self.meters, self.recent = {}, {}

    def fit(self, model, loader, optimizer):
        for batch in loader:
            parts = model(batch)
            parts["loss"].backward()
            optimizer.step()
            optimizer.zero_grad()
            for name, value in parts.items():
                if name not in self.meters:
                    self.meters[name] = Meter()
                self.meters[name].update(value)  # expect: TL302
            for name, value in parts.items():
                self.recent[name] = Meter()
                self.recent[name].update(value)


def one_by_one(model, loader, optimizer):
    meters = {}
    meters["loss"] = Meter()
    meters["size"] = Meter()
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        meters["loss"].update(loss)  # expect: TL302
        meters["size"].update(len(batch))
