"""Objects whose methods communicate when the language asks for them, and all ranks ask. No finding."""

import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler


class InStep:
    """Batches that all ranks draw in step."""

    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        for batch in self.batches:
            dist.barrier()
            yield batch

    def __len__(self):
        dist.barrier()
        return len(self.batches)

    def __str__(self):
        dist.barrier()
        return "batches"


def drawn_by_all(batches):
    for batch in InStep(batches):
        if dist.get_rank() == 0:
            print(batch)


def drawn_before(batches):
    drawn = list(InStep(batches))
    if dist.get_rank() == 0:
        for batch in drawn:
            print(batch)
        print(len(drawn), sorted(drawn))


def counted_before(batches):
    source = InStep(batches)
    count = len(source)
    text = str(source)
    if dist.get_rank() == 0:
        print(count)
        print(text)


class Kept:
    """Draws once, when it is made, on all ranks."""

    def __init__(self, batches):
        self.batches = list(InStep(batches))

    def show(self):
        if dist.get_rank() == 0:
            print(len(self.batches))
            for batch in self.batches:
                print(batch)


def only_made_on_one(batches):
    """Nothing is drawn from it."""
    if dist.get_rank() == 0:
        source = InStep(batches)
        print(source.batches)


class Waiting(Sampler):
    """A sampler that lets no rank run ahead."""

    def __init__(self, size):
        self.size = size

    def __iter__(self):
        dist.barrier()
        return iter(range(self.size))


def train(data, model):
    loader = DataLoader(data, sampler=Waiting(len(data)))
    for batch in loader:
        loss = model(batch)
        if dist.get_rank() == 0:
            print(loss)


def evaluate_on_one_without_it(data, model):
    """The loader of the evaluation has no such sampler."""
    loader = DataLoader(data, sampler=Waiting(len(data)))
    plain = DataLoader(data)
    for batch in loader:
        model(batch)
    if dist.get_rank() == 0:
        for batch in plain:
            model(batch)


class Plain:
    """The same words, and nobody communicates."""

    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


def of_another_class(batches):
    if dist.get_rank() == 0:
        plain = Plain(batches)
        print(len(plain), [batch for batch in plain])
        for batch in plain:
            print(batch)
