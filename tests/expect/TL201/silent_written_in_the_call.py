"""What is passed, or the default, says that there is no sampler; and of two calls in one function the other one gets it."""

from torch.utils.data import DataLoader, DistributedSampler, RandomSampler


def make(data, many=False, ranks=1):
    sampler = DistributedSampler(data) if many else None
    if ranks > 1:
        sampler = DistributedSampler(data, num_replicas=ranks)
    return DataLoader(data, sampler=sampler, shuffle=sampler is None)


def one_round(model, loader):
    for batch in loader:
        model(batch).sum().backward()


def by_default(model, data):
    loader = make(data)
    for _ in range(10):
        one_round(model, loader)


def by_constants(model, data):
    loader = make(data, False, ranks=1)
    for _ in range(10):
        one_round(model, loader)


def choose(data, order="plain"):
    if order == "plain":
        return DataLoader(data, sampler=RandomSampler(data))
    return DataLoader(data, sampler=DistributedSampler(data, shuffle=order != "fixed"))


def in_turn(model, data):
    loader = choose(data, order="fixed")
    for _ in range(10):
        one_round(model, loader)


def both_ways(model, data, alone):
    if alone:
        plain = DataLoader(data, sampler=RandomSampler(data))
        for _ in range(10):
            one_round(model, plain)
    else:
        shared = DataLoader(data, sampler=DistributedSampler(data))
        for epoch in range(10):
            shared.sampler.set_epoch(epoch)
            one_round(model, shared)


def until_it_fits(model, data, size):
    loader = DataLoader(data, batch_size=8)
    one_round(model, loader)
    fits = False
    while not fits and size:
        try:
            smaller = DataLoader(data, batch_size=size, sampler=DistributedSampler(data))
            one_round(model, smaller)
            fits = True
        except RuntimeError:
            size //= 2
