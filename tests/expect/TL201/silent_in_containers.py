"""Loaders and samplers in dicts and lists that are used correctly. No finding."""

from torch.utils.data import DataLoader, RandomSampler
from torch.utils.data.distributed import DistributedSampler


def step(model, optimizer, batch):
    loss = model(batch).sum()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def all_are_told(sets, model, optimizer, epochs):
    samplers = {phase: DistributedSampler(sets[phase]) for phase in ("train", "val")}
    loaders = {phase: DataLoader(sets[phase], sampler=samplers[phase]) for phase in ("train", "val")}
    for epoch in range(epochs):
        for sampler in samplers.values():
            sampler.set_epoch(epoch)
        for phase in ("train", "val"):
            for batch in loaders[phase]:
                step(model, optimizer, batch)


def told_by_its_phase(sets, model, optimizer, epochs):
    samplers = {phase: DistributedSampler(sets[phase]) for phase in ("train", "val")}
    loaders = {phase: DataLoader(sets[phase], sampler=samplers[phase]) for phase in ("train", "val")}
    for epoch in range(epochs):
        for phase in ("train", "val"):
            samplers[phase].set_epoch(epoch)
            for batch in loaders[phase]:
                step(model, optimizer, batch)


def told_through_the_loader(sets, model, optimizer, epochs):
    loaders = [DataLoader(data, sampler=DistributedSampler(data)) for data in sets]
    for epoch in range(epochs):
        for loader in loaders:
            loader.sampler.set_epoch(epoch)
            for batch in loader:
                step(model, optimizer, batch)


def one_pass_over_all(sets, model, optimizer):
    loaders = [DataLoader(data, sampler=DistributedSampler(data)) for data in sets]
    for loader in loaders:
        for batch in loader:
            step(model, optimizer, batch)


def another_loader_in_each_epoch(sets, model, optimizer, epochs):
    loaders = [DataLoader(data, sampler=DistributedSampler(data)) for data in sets]
    for epoch in range(epochs):
        for batch in loaders[epoch]:
            step(model, optimizer, batch)


def made_anew_in_each_epoch(sets, model, optimizer, epochs):
    for epoch in range(epochs):
        loaders = {name: DataLoader(data, sampler=DistributedSampler(data, seed=epoch)) for name, data in sets.items()}
        for name in sets:
            for batch in loaders[name]:
                step(model, optimizer, batch)


def without_shuffling(sets, model, optimizer, epochs):
    loaders = {name: DataLoader(data, sampler=DistributedSampler(data, shuffle=False)) for name, data in sets.items()}
    for epoch in range(epochs):
        print(epoch)
        for loader in loaders.values():
            for batch in loader:
                step(model, optimizer, batch)


def in_one_process(sets, model, optimizer, epochs):
    loaders = {name: DataLoader(data, sampler=RandomSampler(data)) for name, data in sets.items()}
    for epoch in range(epochs):
        print(epoch)
        for name in sets:
            for batch in loaders[name]:
                step(model, optimizer, batch)


def the_other_loader_of_the_dict(train, val, model, optimizer, epochs):
    """Only the loader of the evaluation has such a sampler, and nothing is trained with it."""
    loaders = {"train": DataLoader(train, shuffle=True), "val": DataLoader(val, sampler=DistributedSampler(val))}
    for epoch in range(epochs):
        print(epoch)
        for batch in loaders["train"]:
            step(model, optimizer, batch)
