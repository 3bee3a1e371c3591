"""A sampler that exists only in a distributed run."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def fit(model, optimizer, x, y):
    loss = torch.nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def without(dataset, model, optimizer, epochs, distributed):
    sampler = DistributedSampler(dataset) if distributed else None
    loader = DataLoader(dataset, batch_size=64, shuffle=(sampler is None), sampler=sampler)
    for epoch in range(epochs):  # expect: TL201
        for x, y in loader:
            fit(model, optimizer, x, y)


def without_in_branches(dataset, model, optimizer, epochs):
    if dist.is_initialized():
        sampler = DistributedSampler(dataset, shuffle=True)
    else:
        sampler = torch.utils.data.RandomSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):  # expect: TL201
        for x, y in loader:
            fit(model, optimizer, x, y)


def without_and_late(dataset, model, optimizer, args):
    train_sampler = None
    if args.world_size > 1:
        train_sampler = DistributedSampler(dataset, seed=args.seed)
    loader = DataLoader(dataset, batch_size=args.batch, shuffle=train_sampler is None, sampler=train_sampler)
    for epoch in range(args.start_epoch, args.epochs):  # expect: TL201
        model.train()
        for x, y in loader:
            fit(model, optimizer, x, y)


def guarded_by_the_flag(dataset, model, optimizer, epochs, distributed):
    sampler = DistributedSampler(dataset) if distributed else None
    loader = DataLoader(dataset, batch_size=64, shuffle=(sampler is None), sampler=sampler)
    for epoch in range(epochs):
        if distributed:
            sampler.set_epoch(epoch)
        for x, y in loader:
            fit(model, optimizer, x, y)


def guarded_by_none(dataset, model, optimizer, epochs, distributed):
    sampler = DistributedSampler(dataset) if distributed else None
    loader = DataLoader(dataset, batch_size=64, shuffle=(sampler is None), sampler=sampler)
    for epoch in range(epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for x, y in loader:
            fit(model, optimizer, x, y)


def guarded_by_hasattr(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset) if dist.is_initialized() else torch.utils.data.RandomSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        if hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        for x, y in loader:
            fit(model, optimizer, x, y)


def guarded_by_isinstance(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset) if dist.is_initialized() else torch.utils.data.RandomSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(epochs):
        if isinstance(sampler, DistributedSampler):
            sampler.set_epoch(epoch)
        for x, y in loader:
            fit(model, optimizer, x, y)
