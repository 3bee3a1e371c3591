"""Objects and context managers of the project that read the clock."""

import time
from contextlib import contextmanager

import torch
from torch import nn


class Timer:
    def __init__(self):
        self.started = 0.0
        self.total = 0.0

    def tic(self):
        self.started = time.time()

    def toc(self):
        self.total += time.time() - self.started
        return self.total


class Measured:
    def __enter__(self):
        self.begin = time.perf_counter()
        return self

    def __exit__(self, *error):
        self.seconds = time.perf_counter() - self.begin


@contextmanager
def timed(name):
    start = time.perf_counter()
    yield
    print(f"{name}: {time.perf_counter() - start:.3f} s")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


def latency(x):
    net = Net().cuda()
    timer = Timer()
    timer.tic()
    out = net(x)
    seconds = timer.toc()  # expect: TL802
    return out, seconds


def stages(loader, optimizer, criterion):
    net = Net().to("cuda")
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        with timed("forward"):  # expect: TL802
            loss = criterion(net(x), y)
        with Measured() as backward:  # expect: TL802
            loss.backward()
        optimizer.step()
        print(loss.item(), backward.seconds)


def now():
    return time.time() * 1000


def by_a_helper(x):
    net = Net().cuda()
    start = now()
    out = net(x)
    print(f"{now() - start:.1f} ms")  # expect: TL802
    return out
