"""A generator that draws from another one, which meets the others in each round."""

import torch.distributed as dist


def waiting(loader):
    for batch in loader:
        dist.barrier()
        yield batch


def plain(loader):
    for batch in loader:
        yield batch


def called_by_one(loader):
    if dist.get_rank() == 0:
        yield from waiting(loader)  # expect: TL101


def draws_from_called_by_one(loader):
    for batch in called_by_one(loader):
        print(batch)


def named_by_one(loader):
    batches = waiting(loader)
    if dist.get_rank() == 0:
        yield from batches  # expect: TL101


def draws_from_named_by_one(loader):
    for batch in named_by_one(loader):
        print(batch)


def plain_by_one(loader):
    if dist.get_rank() == 0:
        yield from plain(loader)


def draws_from_plain_by_one(loader):
    for batch in plain_by_one(loader):
        print(batch)


def on_all(loader):
    yield from waiting(loader)


def draws_from_on_all(loader):
    for batch in on_all(loader):
        if dist.get_rank() == 0:
            print(batch)


def kept_by_one(loader):
    if dist.get_rank() == 0:
        count = yield from waiting(loader)  # expect: TL101
        print(count)


def draws_from_kept_by_one(loader):
    for batch in kept_by_one(loader):
        print(batch)
