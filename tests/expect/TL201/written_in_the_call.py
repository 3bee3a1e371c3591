"""What is passed, or the default, says that there is a sampler."""

from torch.utils.data import DataLoader, DistributedSampler


def make(data, many=True, ranks=1):
    sampler = DistributedSampler(data) if many else None
    if ranks > 1:
        sampler = DistributedSampler(data, num_replicas=ranks)
    return DataLoader(data, sampler=sampler, shuffle=sampler is None)


def one_round(model, loader):
    for batch in loader:
        model(batch).sum().backward()


def by_default(model, data):
    loader = make(data)
    for _ in range(10):  # expect: TL201
        one_round(model, loader)


def by_number(model, data):
    loader = make(data, False, ranks=4)
    for _ in range(10):  # expect: TL201
        one_round(model, loader)


def by_settings(model, data, settings):
    loader = make(data, **settings)
    for _ in range(10):  # expect: TL201
        one_round(model, loader)


def both_ways(model, data, alone):
    if alone:
        plain = DataLoader(data, shuffle=True)
        for _ in range(10):
            one_round(model, plain)
    else:
        shared = DataLoader(data, sampler=DistributedSampler(data))
        for _ in range(10):  # expect: TL201
            one_round(model, shared)
