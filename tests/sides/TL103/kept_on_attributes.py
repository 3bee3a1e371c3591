"""What an object keeps of its own loss, and who is told it."""

import math

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Stopper:
    """Told the loss by a method."""

    def __init__(self, limit):
        self.limit = limit
        self.stop = False

    def note(self, loss):
        if loss > self.limit:
            self.stop = True


def told_its_own(network, loader, criterion):
    model = DistributedDataParallel(network)
    stopper = Stopper(10)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        stopper.note(loss)
        if stopper.stop:
            break
        loss.backward()  # expect: TL103


class ReducedStopper:
    """Told the loss of all ranks."""

    def __init__(self, limit):
        self.limit = limit
        self.stop = False

    def note(self, loss):
        if loss > self.limit:
            self.stop = True


def told_that_of_all(network, loader, criterion):
    model = DistributedDataParallel(network)
    stopper = ReducedStopper(10)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        shared = loss.detach().clone()
        dist.all_reduce(shared)
        stopper.note(shared)
        if stopper.stop:
            break
        loss.backward()


class OwnReducingStopper:
    """Asks the other ranks itself."""

    def __init__(self, limit):
        self.limit = limit
        self.stop = False

    def note(self, loss):
        shared = loss.detach().clone()
        dist.all_reduce(shared)
        if shared > self.limit:
            self.stop = True


def told_and_asked_there(network, loader, criterion):
    model = DistributedDataParallel(network)
    stopper = OwnReducingStopper(10)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        stopper.note(loss)
        if stopper.stop:
            break
        loss.backward()


class RaisingStopper:
    """Ends the job."""

    def __init__(self, limit):
        self.limit = limit
        self.fine = False

    def note(self, loss):
        if loss > self.limit:
            raise FloatingPointError("diverged")
        self.fine = True


def told_and_ended(network, loader, criterion):
    model = DistributedDataParallel(network)
    stopper = RaisingStopper(10)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        stopper.note(loss)
        if not stopper.fine:
            break
        loss.backward()


class Meter:
    def __init__(self):
        self.bad = False

    def note(self, value):
        if math.isnan(value):
            self.bad = True


def another_meter(network, loader, criterion, rates):
    model = DistributedDataParallel(network)
    losses, speeds = Meter(), Meter()
    for images, labels in loader:
        loss = criterion(model(images), labels)
        losses.note(loss.item())
        speeds.note(rates[0])
        if speeds.bad:
            break
        loss.backward()


def this_meter(network, loader, criterion, rates):
    model = DistributedDataParallel(network)
    losses, speeds = Meter(), Meter()
    for images, labels in loader:
        loss = criterion(model(images), labels)
        losses.note(loss.item())
        speeds.note(rates[0])
        if losses.bad:
            break
        loss.backward()  # expect: TL103


class LossMeter(Meter):
    pass


class SpeedMeter(Meter):
    pass


def meter_of_another_class(network, loader, criterion, rates):
    model = DistributedDataParallel(network)
    losses, speeds = LossMeter(), SpeedMeter()
    for images, labels in loader:
        loss = criterion(model(images), labels)
        losses.note(loss.item())
        speeds.note(rates[0])
        if speeds.bad:
            break
        loss.backward()


class Trainer:
    def __init__(self, network, criterion):
        self.model = DistributedDataParallel(network)
        self.criterion = criterion
        self.loss = None
        self.shared = None
        self.total = 0.0
        self.steps = 0

    def keep(self, images, labels):
        self.loss = self.criterion(self.model(images), labels)

    def keep_shared(self, images, labels):
        self.shared = self.criterion(self.model(images), labels).detach()
        dist.all_reduce(self.shared)

    def count(self, images, labels):
        loss = self.criterion(self.model(images), labels)
        loss.backward()
        self.total += loss.item()
        self.steps += 1

    def asks_what_it_keeps(self, loader):
        for images, labels in loader:
            self.keep(images, labels)
            if torch.isnan(self.loss):
                continue
            self.loss.backward()  # expect: TL103

    def asks_what_all_keep(self, loader):
        for images, labels in loader:
            self.keep_shared(images, labels)
            if torch.isnan(self.shared):
                continue
            self.criterion(self.model(images), labels).backward()

    def asks_what_it_added_up(self, loader):
        for images, labels in loader:
            self.count(images, labels)
        if self.total > 100:
            dist.barrier()  # expect: TL103

    def asks_how_often(self, loader):
        for images, labels in loader:
            self.count(images, labels)
        if self.steps > 100:
            dist.barrier()


class Either:
    """In one mode the loss of all, in the other that of the rank: which one it is nobody knows."""

    def __init__(self, network, criterion, shared):
        self.model = DistributedDataParallel(network)
        self.criterion = criterion
        self.shared = shared

    def value(self, loss):
        if self.shared:
            value = loss.detach().clone()
            dist.all_reduce(value)
            return value
        return loss

    def fit(self, loader):
        for images, labels in loader:
            loss = self.criterion(self.model(images), labels)
            if self.value(loss) > 10:
                continue
            loss.backward()


class Always:
    def __init__(self, network, criterion, scaled):
        self.model = DistributedDataParallel(network)
        self.criterion = criterion
        self.scaled = scaled

    def value(self, loss):
        if self.scaled:
            return loss * 2
        return loss

    def fit(self, loader):
        for images, labels in loader:
            loss = self.criterion(self.model(images), labels)
            if self.value(loss) > 10:
                continue
            loss.backward()  # expect: TL103
