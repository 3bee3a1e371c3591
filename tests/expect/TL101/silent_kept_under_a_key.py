"""Under a key there are several kinds of things, things that do not wait, or all ranks draw from them."""

import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler


class Buckets(Sampler):
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        for item in self.items:
            dist.barrier()
            yield item


class Plain(Sampler):
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        yield from self.items


def register(items, registry, waits):
    source = {}
    source["batches"] = Buckets(items)
    source["either"] = Buckets(items)
    if not waits:
        source["either"] = Plain(items)
    source["plain"] = Plain(items)
    source["listed"] = list(items)
    source["listed"] = Buckets(items)
    source["loader"] = DataLoader(items, batch_sampler=source["plain"])
    registry.add(source)


def all_ranks(registry):
    source = registry.sources()[0]
    batch = next(source["batches"].__iter__())
    if dist.get_rank() == 0:
        print(batch)


def another_kind(registry):
    if dist.get_rank() == 0:
        return next(registry.sources()[0]["either"].__iter__())
    return None


def plain(registry):
    if dist.get_rank() == 0:
        return next(registry.sources()[0]["plain"].__iter__())
    return None


def plain_loader(registry):
    if dist.get_rank() == 0:
        return next(iter(registry.sources()[0]["loader"]))
    return None


def a_list(registry):
    if dist.get_rank() == 0:
        for item in registry.sources()[0]["listed"]:
            print(item)


def only_made(registry):
    """Whoever asks for the iterator and draws nothing runs nothing of it."""
    if dist.get_rank() == 0:
        registry.keep(registry.sources()[0]["batches"])


def requests():
    """A server waits for what comes from elsewhere."""
    while True:
        dist.barrier()


def serve():
    if dist.get_rank() == 0:
        requests()
