"""Loops over the wrappers."""

from itertools import islice

from torch.nn.functional import cross_entropy

from bundles import bundle, endless


def learn(model, optimizer, x, y):
    optimizer.zero_grad()
    cross_entropy(model(x), y).backward()
    optimizer.step()


def with_bundle(dataset, model, optimizer, epochs):
    data = bundle(dataset)
    for epoch in range(epochs):
        data.set_epoch(epoch)
        for x, y in data.loader:
            learn(model, optimizer, x, y)


def with_endless_batches(dataset, model, optimizer, epochs, steps):
    batches = iter(endless(dataset))
    for epoch in range(epochs):
        for x, y in islice(batches, steps):
            learn(model, optimizer, x, y)
