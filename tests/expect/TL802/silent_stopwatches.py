"""Stopwatches that wait, around what waits, or around nothing that a GPU does."""

import time
from contextlib import contextmanager

import torch
from torch import nn


class Timer:
    def start(self):
        torch.cuda.synchronize()
        self.started = time.time()

    def stop(self):
        torch.cuda.synchronize()
        return time.time() - self.started


class Plain:
    def start(self):
        self.started = time.time()

    def stop(self):
        return time.time() - self.started


@contextmanager
def synchronized(name):
    torch.cuda.synchronize()
    start = time.perf_counter()
    yield
    torch.cuda.synchronize()
    print(name, time.perf_counter() - start)


@contextmanager
def timed(name):
    start = time.perf_counter()
    yield
    print(name, time.perf_counter() - start)


@contextmanager
def recorded(name):
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    first.record()
    yield
    last.record()
    torch.cuda.synchronize()
    print(name, first.elapsed_time(last))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


def waits(x):
    net = Net().cuda()
    timer, plain = Timer(), Plain()
    timer.start()
    out = net(x)
    print(timer.stop())
    plain.start()
    answer = net(out).argmax(1).cpu()
    return answer, plain.stop()


def blocks(x, loader):
    net = Net().cuda()
    with synchronized("forward"):
        out = net(x)
    with recorded("again"):
        out = net(out)
    with timed("fetched"):
        answer = net(out).tolist()
    with timed("data"):
        batch = next(iter(loader))
    with timed("epoch"):
        for each in loader:
            net(each)
    return answer, batch


def others(x, watch):
    net = Net().cuda()
    watch.start()
    out = net(x)
    return out, watch.stop()


def now():
    torch.cuda.synchronize()
    return time.time()


def by_a_helper_that_waits(x):
    net = Net().cuda()
    start = now()
    out = net(x)
    print(now() - start)
    return out
