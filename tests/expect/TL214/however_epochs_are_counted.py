"""Epochs counted by a `while` or a generator, rounds in a helper, a test that tells the sampler in both arms: all too late."""

import itertools

from torch.utils.data import DataLoader, DistributedSampler


def one_epoch(model, optimizer, loader, sampler, epoch):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
    sampler.set_epoch(epoch)  # expect: TL214


def in_a_helper(model, optimizer, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        one_epoch(model, optimizer, loader, sampler, epoch)


def counted(model, optimizer, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    epoch = 0
    while epoch < epochs:
        for batch in loader:
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
        sampler.set_epoch(epoch)  # expect: TL214
        epoch += 1


def in_both_arms(model, optimizer, dataset, epochs, verbose):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
        if verbose:
            print(epoch)
            sampler.set_epoch(epoch)  # expect: TL214
        else:
            sampler.set_epoch(epoch)  # expect: TL214


def of_the_next_epoch(model, optimizer, dataset, epochs):
    """The first epoch has the order of 0, the second one that of 1."""
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    epoch = 0
    while epoch < epochs:
        for batch in loader:
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
        epoch += 1
        sampler.set_epoch(epoch)


def one_of_them_in_time(model, optimizer, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for batch in itertools.islice(loader, 100):
            optimizer.zero_grad()
            model(batch).backward()
            optimizer.step()
        sampler.set_epoch(epoch)
