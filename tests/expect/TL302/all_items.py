"""Each item of the dict that the loss was taken from goes into a meter, a list or a total: the loss among them."""

from collections import OrderedDict, defaultdict

import torch


class Meter:
    def __init__(self):
        self.sum = self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


def meters_made_of_pairs(model, loader, criterion, optimizer, names):
    meters = OrderedDict([(name, Meter()) for name in names])
    for batch in loader:
        parts = criterion(model(batch))
        loss = parts["loss"]
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        for name in parts:
            meters[name].update(parts[name], len(batch))  # expect: TL302


def meters_of_a_comprehension(model, loader, criterion, optimizer, names):
    meters = {name: Meter() for name in names}
    for batch in loader:
        parts = criterion(model(batch))
        parts["total"].backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in parts.items():
            meters[name].update(value)  # expect: TL302


def meters_made_when_missing(model, loader, criterion, optimizer):
    meters, others = defaultdict(Meter), defaultdict(lambda: Meter())
    for batch in loader:
        parts = criterion(model(batch))
        sum(parts.values()).backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in parts.items():
            meters[name].update(value)  # expect: TL302
            others[name].update(value, len(batch))  # expect: TL302


def totals_in_a_dict(model, loader, criterion, optimizer):
    totals = {}
    for batch in loader:
        parts = criterion(model(batch))
        loss = sum(value for value in parts.values())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in parts.items():
            totals[name] = totals.get(name, 0) + value  # expect: TL302
    return totals


class Trainer:
    def __init__(self):
        self.meters = {"loss": Meter(), "regularisation": Meter()}
        self.sums = defaultdict(float)

    def fit(self, model, loader, criterion, optimizer):
        for batch in loader:
            parts = criterion(model(batch))
            parts["loss"].backward()
            optimizer.step()
            optimizer.zero_grad()
            for name in parts.keys():
                self.meters[name].update(parts[name])  # expect: TL302
            for name, value in parts.items():
                self.sums[name] += value  # expect: TL302


def numbers_only(model, loader, criterion, optimizer, names):
    meters = {name: Meter() for name in names}
    for batch in loader:
        parts = criterion(model(batch))
        parts["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in parts.items():
            meters[name].update(value.item(), len(batch))
        for name, value in parts.items():
            if torch.is_tensor(value):
                value = value.detach()
            meters[name].update(value)
        for name in parts:
            meters[name].update(len(batch))
        for name, value in {name: float(value) for name, value in parts.items()}.items():
            meters[name].update(value)


def all_but_the_loss(model, loader, criterion, optimizer, names):
    meters = {name: Meter() for name in names}
    for batch in loader:
        parts = criterion(model(batch))
        parts["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in parts.items():
            if name != "loss":
                meters[name].update(value)
        parts["loss"] = parts["loss"].item()
        for name, value in parts.items():
            meters[name].update(value)


def the_loss_was_taken_out(model, loader, criterion, optimizer, names):
    meters = {name: Meter() for name in names}
    for batch in loader:
        parts = criterion(model(batch))
        loss = parts.pop("loss")
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in parts.items():
            meters[name].update(value)


def in_one_step_only(model, loader, criterion, optimizer):
    for batch in loader:
        parts = criterion(model(batch))
        shown = defaultdict(float)
        parts["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in parts.items():
            shown[name] += value
        print(dict(shown))
