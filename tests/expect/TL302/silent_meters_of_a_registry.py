import torch
from torch import nn

METERS = {}


def register(name):
    def wrap(cls):
        METERS[name] = cls
        return cls
    return wrap


class Meter:
    def reset(self):
        raise NotImplementedError

    def update(self, value, n=1):
        raise NotImplementedError


@register("average")
class AverageMeter(Meter):
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


def build_meter(name):
    return METERS[name]()


def train(model, loader, optimizer, epochs):
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        meter = build_meter("average")
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter.update(loss.item(), x.size(0))
        print(epoch, float(meter.avg))
