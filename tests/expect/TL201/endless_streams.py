"""Streams that begin the next pass over their loader themselves: the epochs are counted in them, if at all."""

from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def loader_of(dataset):
    return DataLoader(dataset, batch_size=16, num_workers=4, sampler=DistributedSampler(dataset))


def train_batch(model, optimizer, batch):
    optimizer.zero_grad()
    cross_entropy(model(batch["x"]), batch["y"]).backward()
    optimizer.step()


def cycle(loader):
    while True:  # expect: TL201
        for batch in loader:
            yield batch


def forever(loader):
    while True:  # expect: TL201
        yield from loader


class Endless:
    def __init__(self, loader):
        self.loader = loader
        self.iterator = iter(loader)

    def __iter__(self):
        while True:  # expect: TL201
            try:
                batch = next(self.iterator)
            except StopIteration:
                self.iterator = iter(self.loader)
                batch = next(self.iterator)
            yield batch


class Stream:
    def __init__(self, loader):
        self.loader = loader
        self.iterator = iter(loader)

    def __iter__(self):
        return self

    def __next__(self):
        try:
            return next(self.iterator)
        except StopIteration:
            self.iterator = iter(self.loader)
            return next(self.iterator)


def cycled(dataset, model, optimizer, steps):
    for step, batch in enumerate(cycle(loader_of(dataset))):
        train_batch(model, optimizer, batch)
        if step == steps:
            break


class Trainer:
    def __init__(self, dataset, model, optimizer):
        self.batches = forever(loader_of(dataset))
        self.model, self.optimizer = model, optimizer

    def run(self, steps):
        for _ in range(steps):
            train_batch(self.model, self.optimizer, next(self.batches))


def iterated(dataset, model, optimizer, steps):
    for step, batch in enumerate(Endless(loader_of(dataset))):
        train_batch(model, optimizer, batch)
        if step == steps:
            break


def taken(dataset, model, optimizer, steps):
    stream = Stream(loader_of(dataset))
    for _ in range(steps):  # expect: TL201
        train_batch(model, optimizer, next(stream))


def counted(loader):
    epoch = 0
    while True:
        loader.sampler.set_epoch(epoch)
        epoch += 1
        for batch in loader:
            yield batch


class Counting:
    def __init__(self, loader):
        self.loader = loader
        self.epoch = 0

    def __iter__(self):
        while True:
            self.loader.sampler.set_epoch(self.epoch)
            self.epoch += 1
            yield from self.loader


class Told:
    def __init__(self, loader, sampler):
        self.loader = loader
        self.sampler = sampler
        self.epoch = 0
        self.iterator = iter(loader)

    def __next__(self):
        try:
            return next(self.iterator)
        except StopIteration:
            self.epoch += 1
            self.sampler.set_epoch(self.epoch)
            self.iterator = iter(self.loader)
            return next(self.iterator)


def told(dataset, model, optimizer, steps):
    for batch in counted(loader_of(dataset)):
        train_batch(model, optimizer, batch)
    for batch in Counting(loader_of(dataset)):
        train_batch(model, optimizer, batch)
    sampler = DistributedSampler(dataset)
    stream = Told(DataLoader(dataset, batch_size=16, num_workers=4, sampler=sampler), sampler)
    for _ in range(steps):
        train_batch(model, optimizer, next(stream))


def in_order(dataset, model, optimizer):
    sampler = DistributedSampler(dataset, shuffle=False)
    for batch in cycle(DataLoader(dataset, batch_size=16, num_workers=4, sampler=sampler)):
        train_batch(model, optimizer, batch)
