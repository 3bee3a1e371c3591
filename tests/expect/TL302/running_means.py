"""Exponential means: the first value is bound once, then each round adds its part to what was there."""

import torch
import torch.nn.functional as F
from torch import nn


class Fitter:
    def __init__(self, net, optimizer, batches):
        self.net, self.optimizer, self.batches = net, optimizer, batches
        self.smooth = None
        self.decay = 0.97

    def run(self, rounds):
        for _ in range(rounds):
            for inputs, labels in self.batches:
                loss = F.cross_entropy(self.net(inputs), labels)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                if self.smooth is None:
                    self.smooth = loss
                else:
                    self.smooth = self.decay * self.smooth + (1 - self.decay) * loss  # expect: TL302


def sentinel(net, optimizer, batches):
    mean = -1.0
    for inputs, labels in batches:
        loss = F.mse_loss(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if mean < 0:
            mean = loss
        else:
            mean = 0.9 * mean + 0.1 * loss  # expect: TL302


def first_round(net, optimizer, batches):
    mean = None
    for number, (inputs, labels) in enumerate(batches):
        loss = F.mse_loss(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number == 0:
            mean = loss
        else:
            mean = 0.9 * mean + 0.1 * loss  # expect: TL302
    return mean


class Smoothed:
    def __init__(self):
        self.value = None

    def add(self, x):
        if self.value is None:
            self.value = x
            return
        self.value = self.value * 0.9 + x * 0.1


class ByName:
    def __init__(self):
        self.values = {}

    def add(self, name, x):
        if name not in self.values:
            self.values[name] = x
        else:
            self.values[name] = self.values[name] * 0.9 + x * 0.1

    def fold(self, parts):
        for name in parts:
            if name in self.values:
                self.values[name] += parts[name]
            else:
                self.values[name] = parts[name]


def in_objects(net, optimizer, batches):
    criterion = nn.CrossEntropyLoss()
    smoothed, named = Smoothed(), ByName()
    for inputs, labels in batches:
        loss = criterion(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smoothed.add(loss)  # expect: TL302
        named.add("loss", loss)  # expect: TL302
        named.fold({"loss": loss})  # expect: TL302


class Agent:
    def losses_of(self, batch):
        end = self.head(batch).mean()
        flow = self.flow(batch).mean()
        return (end + self.weight * flow, end, flow), batch.rewards

    def train(self, steps):
        ema_end, ema_flow = None, None
        for step in range(steps):
            for part in self.parts(step):
                losses, rewards = self.losses_of(part)
                losses[0].backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            if ema_end and ema_flow:
                ema_end = self.alpha * losses[1] + (1 - self.alpha) * ema_end  # expect: TL302
                ema_flow = self.alpha * losses[2] + (1 - self.alpha) * ema_flow  # expect: TL302
                if ema_end < self.limit and ema_flow < self.limit:
                    break
            else:
                ema_end = losses[1]
                ema_flow = losses[2]
            print(step, rewards)


class Steady:
    """What tells the first value from the others is the value before."""

    def __init__(self, momentum=0.99):
        self.momentum = momentum
        self.last = None
        self.mean = 0

    def update(self, value):
        if self.last is None:
            self.mean = value
        else:
            self.mean = self.mean * self.momentum + value * (1 - self.momentum)
        self.last = value


def by_the_value_before(net, optimizer, batches):
    smoothed = Steady()
    for inputs, labels in batches:
        loss = F.cross_entropy(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smoothed.update(loss)  # expect: TL302
    print(smoothed.mean)


class SteadyAnew:
    """The mean begins anew where something else is set to None again."""

    def __init__(self, momentum=0.99):
        self.momentum = momentum
        self.last = None
        self.mean = 0

    def update(self, value):
        if self.last is None:
            self.mean = value
        else:
            self.mean = self.mean * self.momentum + value * (1 - self.momentum)
        self.last = None if value > 10 else value


def by_something_else(net, optimizer, batches):
    smoothed = SteadyAnew()
    for inputs, labels in batches:
        loss = F.cross_entropy(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        smoothed.update(loss)
    print(smoothed.mean)
