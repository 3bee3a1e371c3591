"""Loaders and samplers that are kept in dicts and lists."""

from typing import NamedTuple

from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def step(model, optimizer, batch):
    loss = model(batch).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def made_for_each_phase(sets, model, optimizer, epochs):
    samplers = {phase: DistributedSampler(sets[phase]) for phase in ("train", "val")}
    loaders = {phase: DataLoader(sets[phase], sampler=samplers[phase]) for phase in ("train", "val")}
    for epoch in range(epochs):  # expect: TL201
        print(epoch)
        for phase in ("train", "val"):
            for batch in loaders[phase]:
                step(model, optimizer, batch)


def written_out(sets, model, optimizer, epochs):
    samplers = {"train": DistributedSampler(sets["train"]), "val": DistributedSampler(sets["val"], shuffle=False)}
    loaders = {"train": DataLoader(sets["train"], sampler=samplers["train"]), "val": DataLoader(sets["val"])}
    for epoch in range(epochs):  # expect: TL201
        print(epoch)
        for batch in loaders["train"]:
            step(model, optimizer, batch)


def one_after_the_other(sets, model, optimizer, epochs):
    samplers = [DistributedSampler(data) for data in sets]
    loaders = [DataLoader(data, sampler=sampler) for data, sampler in zip(sets, samplers)]
    for epoch in range(epochs):  # expect: TL201
        print(epoch)
        for loader in loaders:
            for batch in loader:
                step(model, optimizer, batch)


def filled_by_name(sets, model, optimizer, epochs):
    loaders = {}
    for name, data in sets.items():
        loaders[name] = DataLoader(data, sampler=DistributedSampler(data))
    for epoch in range(epochs):  # expect: TL201
        print(epoch)
        for name, loader in loaders.items():
            for number, batch in enumerate(loader):
                step(model, optimizer, batch)
                print(name, number)


def appended(sets, model, optimizer, epochs):
    loaders = []
    for data in sets:
        loaders.append(DataLoader(data, sampler=DistributedSampler(data)))
    for epoch in range(epochs):  # expect: TL201
        print(epoch)
        for number, loader in enumerate(loaders):
            for batch in loader:
                step(model, optimizer, batch)
                print(number)


def first_of_the_values(sets, model, optimizer, epochs):
    loaders = {name: DataLoader(data, sampler=DistributedSampler(data)) for name, data in sets.items()}
    for epoch in range(epochs):  # expect: TL201
        print(epoch)
        for loader in loaders.values():
            for batch in loader:
                step(model, optimizer, batch)


class Parts(NamedTuple):
    train: DataLoader
    valid: DataLoader


def loader_of(dataset):
    return DataLoader(dataset, sampler=DistributedSampler(dataset))


def fields_that_a_generator_gives(sets, model, optimizer, epochs):
    parts = Parts(*(loader_of(sets[name]) for name in ("train", "valid")))
    for epoch in range(epochs):  # expect: TL201
        print(epoch)
        for batch in parts.train:
            step(model, optimizer, batch)


class Ahead:
    """Copies a batch while the one before is trained."""

    def __init__(self, loader):
        self.batches = iter(loader)

    def next(self):
        return next(self.batches, None)


def fetched_ahead(dataset, model, optimizer, epochs):
    loader = loader_of(dataset)
    for epoch in range(epochs):  # expect: TL201
        ahead = Ahead(loader)
        while (batch := ahead.next()) is not None:
            step(model, optimizer, batch)


def fetched_ahead_of_a_new_order(dataset, model, optimizer, epochs):
    loader = loader_of(dataset)
    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        ahead = Ahead(loader)
        while (batch := ahead.next()) is not None:
            step(model, optimizer, batch)
