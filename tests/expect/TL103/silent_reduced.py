"""All ranks give one answer before any of them acts."""

import time

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def mean(value):
    value = value.detach().clone()
    dist.all_reduce(value)
    return value / dist.get_world_size()


def any_rank(flag, device):
    flag = torch.tensor(float(flag), device=device)
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)
    return flag.item() > 0


def in_place(network, loader, criterion):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        bad = torch.isnan(loss).int()
        dist.all_reduce(bad)
        if bad.item() > 0:
            continue
        loss.backward()


def by_mean(network, loader, criterion):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        if torch.isnan(mean(loss)):
            continue
        loss.backward()


def by_helper(network, loader, criterion, device):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        if any_rank(torch.isnan(loss), device):
            continue
        loss.backward()


def gathered(network, loader, criterion):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        losses = [None] * dist.get_world_size()
        dist.all_gather_object(losses, loss.item())
        if any(value != value for value in losses):
            continue
        loss.backward()


def one_clock(steps, run, save, minutes):
    last = time.time()
    for step in range(steps):
        run(step)
        due = [time.time() - last > 60 * minutes]
        dist.broadcast_object_list(due, src=0)
        if due[0]:
            save(step)
            dist.barrier()
            last = time.time()


class Timed:
    """The time is averaged over all ranks, where there are several; alone, a process takes its own."""

    def __init__(self):
        self._start = time.time()
        self._total = None

    def step(self, seconds):
        total = torch.tensor(seconds)
        dist.all_reduce(total)
        self._total = total / dist.get_world_size()

    def passed(self):
        if self._total is None:
            return time.time() - self._start
        return self._total

    def fit(self, most):
        if self.passed() > most:
            dist.barrier()
