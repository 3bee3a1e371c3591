"""What `thing[key] = value` runs in an object of the project: a method that may keep the value."""

from torch.nn import functional as F


class Collector:
    def __init__(self):
        self.values = {}

    def add(self, name):
        self.values[name] = []

    def __setitem__(self, name, value):
        self.values[name].append(value)


class Tagged:
    def __init__(self):
        self.steps = []

    def __setitem__(self, name, value):
        entry = (name, value)
        self.keep(entry)

    def keep(self, entry):
        self.steps.append(entry)


class Latest:
    def __init__(self):
        self.values = {}

    def __setitem__(self, name, value):
        self.values[name] = value


class Numbers(Collector):
    def __setitem__(self, name, value):
        self.values[name].append(float(value))


class Owner:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.stats = Collector()

    def run(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = F.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.stats["loss"] = loss  # expect: TL301


def of_each_round(model, optimizer, loader):
    stats = Collector()
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        stats["loss"] = loss  # expect: TL301


def handed_on(model, optimizer, loader):
    stats = Collector()
    stats.add("loss")
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        collect(stats, loss)


def collect(stats, loss):
    stats["loss"] = loss.detach()


def others(model, optimizer, loader):
    latest, numbers, plain, steps = Latest(), Numbers(), {}, Tagged()
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        latest["loss"] = loss
        numbers["loss"] = loss
        plain["loss"] = loss
        steps["loss"] = loss.item()
