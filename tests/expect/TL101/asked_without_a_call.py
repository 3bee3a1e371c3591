"""Collectives in methods that nobody calls by name: the language asks for them."""

import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler


class InStep:
    """Batches that all ranks draw in step."""

    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        for batch in self.batches:
            dist.barrier()  # expect: TL101, TL101, TL101
            yield batch


def peek_by_a_loop(batches):
    source = InStep(batches)
    if dist.get_rank() == 0:
        for batch in source:
            print(batch)


def peek_with_numbers(batches):
    source = InStep(batches)
    if dist.get_rank() == 0:
        for number, batch in enumerate(source):
            print(number, batch)


def peek_behind_a_parameter(source: InStep):
    if dist.get_rank() == 0:
        for batch in source:
            print(batch)


def peek_at_the_first(batches):
    source = InStep(batches)
    if dist.get_rank() == 0:
        return next(iter(source))  # expect: TL101
    return None


def drawn_all_at_once(batches):
    source = InStep(batches)
    if dist.get_rank() == 0:
        print(sorted(source))  # expect: TL101


class Agreed:
    """As many items as the rank with the fewest has."""

    def __init__(self, items):
        self.items = items

    def __len__(self):
        counts = [None] * dist.get_world_size()
        dist.all_gather_object(counts, len(self.items))
        return min(counts)

    def __iter__(self):
        dist.barrier()  # expect: TL101
        return iter(self.items)


def announce(items):
    agreed = Agreed(items)
    if dist.get_rank() == 0:
        print(len(agreed))  # expect: TL101


def show(items):
    agreed = Agreed(items)
    if dist.get_rank() == 0:
        for item in agreed:
            print(item)


class Reduced:
    """Each item is the mean of all ranks."""

    def __init__(self, values):
        self.values = iter(values)

    def __iter__(self):
        return self

    def __next__(self):
        value = next(self.values)
        dist.all_reduce(value)  # expect: TL101
        return value


def report(values):
    if dist.get_rank() == 0:
        for value in Reduced(values):
            print(value)


def report_one(values):
    means = Reduced(values)
    if dist.get_rank() == 0:
        print(next(means))  # expect: TL101


class Total:
    """A number that is summed up when it is shown."""

    def __init__(self):
        self.value = 0.0

    def __str__(self):
        dist.all_reduce(self.value)
        return f"{self.value}"


def line_of_the_log():
    total = Total()
    if dist.get_rank() == 0:
        print(total)  # expect: TL101


class Waiting(Sampler):
    """A sampler that lets no rank run ahead."""

    def __init__(self, size):
        self.size = size

    def __iter__(self):
        dist.barrier()  # expect: TL101
        for index in range(self.size):
            yield index


def evaluate_on_one(data, model):
    loader = DataLoader(data, sampler=Waiting(len(data)))
    if dist.get_rank() == 0:
        for batch in loader:
            model(batch)
