"""A meter that is told several numbers at once; elsewhere a new meter of its class empties itself while it is made."""

import torch


class Meter:
    def __init__(self, names=None):
        self.names = names
        self.size = 1 if names is None else len(names)
        self.reset()

    def reset(self):
        self.last = [0] * self.size
        self.total = [0] * self.size

    def update(self, values):
        if isinstance(values, list):
            for place, value in enumerate(values):
                self.last[place] = value
                self.total[place] += value
        else:
            self.last[0] = values
            self.total[0] += values


class Runner:
    def __init__(self, net, optimizer, loader):
        self.net, self.optimizer, self.loader = net, optimizer, loader
        self.losses = Meter(["coarse", "fine"])
        self.groups = {}

    def parts(self, batch):
        coarse, fine = self.net(batch)
        first = self.distance(coarse, batch["truth"]).mean()
        second = self.distance(fine, batch["truth"]).mean()
        return first + second, first, second

    def step(self, batch):
        loss, first, second = self.parts(batch)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.update([first * 1000, second * 1000])  # expect: TL302
        self.losses.update([first.item() * 1000, second.item() * 1000])

    def show(self):
        self.groups["new"] = Meter(["coarse"])
        print(self.losses.last)

    def run(self):
        for batch in self.loader:
            self.step(batch)
            self.show()


class Emptying(Runner):
    def step(self, batch):
        loss, first, second = self.parts(batch)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.losses.update([first * 1000, second * 1000])

    def run(self):
        for batch in self.loader:
            self.step(batch)
            print(self.losses.total)
            self.losses.reset()


def phases(net, optimizer, loader, training):
    total, mean = 0.0, 0.0
    net.train(training)
    for inputs, labels in loader:
        with torch.set_grad_enabled(training):
            loss = torch.nn.functional.mse_loss(net(inputs), labels)
        if training:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss * len(inputs)  # expect: TL302
        with torch.no_grad():
            share = loss / 10
        mean += share
    return total, mean
