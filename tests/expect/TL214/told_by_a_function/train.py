"""A function tells the sampler the epoch; both stand under one test, or the batches are in a function as well."""

from torch.utils.data import DataLoader, DistributedSampler


def tell(sampler, number):
    sampler.set_epoch(number)  # expect: TL214


def tell_in_time(sampler, number):
    sampler.set_epoch(number)


def one_epoch(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def late(model, optimizer, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        one_epoch(model, optimizer, loader)
        tell(sampler, epoch)


def in_time(model, optimizer, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        tell_in_time(sampler, epoch)
        one_epoch(model, optimizer, loader)


def next_in_time(model, optimizer, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        one_epoch(model, optimizer, loader)
        tell_in_time(sampler, epoch + 1)


def under_one_test(model, optimizer, dataset, epochs, start):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        if epoch >= start:
            one_epoch(model, optimizer, loader)
            sampler.set_epoch(epoch)  # expect: TL214


def trained_now_and_then(model, optimizer, dataset, epochs, start):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        if epoch >= start:
            one_epoch(model, optimizer, loader)
        sampler.set_epoch(epoch)
