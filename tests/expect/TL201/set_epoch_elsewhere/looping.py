"""set_epoch is called two calls away, in another file."""

from torch.nn.functional import cross_entropy

import orders


class Callback:
    """Base of the things that happen at the borders of an epoch."""

    def on_epoch_start(self, epoch):
        pass


class Reshuffle(Callback):
    def __init__(self, loader):
        self.loader = loader

    def on_epoch_start(self, epoch):
        self.loader.sampler.set_epoch(epoch)


def learn(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        cross_entropy(model(x), y).backward()
        optimizer.step()


def by_function(dataset, model, optimizer, epochs):
    loader = orders.make_loader(dataset)
    for epoch in range(epochs):
        orders.start_of_epoch(loader, epoch)
        learn(model, optimizer, loader)


def by_callback(dataset, model, optimizer, epochs):
    loader = orders.make_loader(dataset)
    callbacks = [Reshuffle(loader)]
    for epoch in range(epochs):
        for callback in callbacks:
            callback.on_epoch_start(epoch)
        learn(model, optimizer, loader)


def forgotten_here(dataset, model, optimizer, epochs):
    loader = orders.make_loader(dataset)
    for epoch in range(epochs):  # expect: TL201
        learn(model, optimizer, loader)
