"""Batches of a training on a TPU that are filled up, or left out by their size."""

import functools

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader

SIZE = 64


def pad_to(items, size):
    return torch.stack(items + items[: size - len(items)]), size


def together(items):
    return torch.stack(items)


def filled_by_partial(model, optimizer, dataset, size):
    loader = DataLoader(dataset, batch_size=size, collate_fn=functools.partial(pad_to, size=size))
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def put_together(model, optimizer, dataset, size):
    loader = DataLoader(dataset, batch_size=size, collate_fn=together)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


class Filler:
    def __init__(self, size):
        self.size = size

    def __call__(self, items):
        return torch.stack(items + items[: self.size - len(items)])


class Stacker:
    def __init__(self, axis):
        self.axis = axis

    def __call__(self, items):
        return torch.stack(items, self.axis)


def filled_by_object(model, optimizer, dataset, size):
    loader = DataLoader(dataset, batch_size=size, collate_fn=Filler(size))
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def stacked_by_object(model, optimizer, dataset, size):
    loader = DataLoader(dataset, batch_size=size, collate_fn=Stacker(0))  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def filled_inside(model, optimizer, dataset, size):
    def fill(items):
        return torch.nn.functional.pad(torch.stack(items), (0, size))

    loader = DataLoader(dataset, batch_size=size, collate_fn=fill)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def filled_by_number(model, optimizer, dataset):
    """A number that is written there twice."""

    def halve(items):
        return torch.stack(items[:32])

    loader = DataLoader(dataset, batch_size=SIZE, collate_fn=halve)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


class OwnLoader(DataLoader):
    def __init__(self, data, many):
        super().__init__(data, batch_size=many, drop_last=True)


class NamedLoader(DataLoader):
    """Another name for it."""


def own_loader(model, optimizer, dataset):
    loader = OwnLoader(dataset, 32)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def named_loader(model, optimizer, dataset):
    loader = NamedLoader(dataset, batch_size=32)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def skipped(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        if len(x) < SIZE:
            continue
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def skipped_by_shape(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        if x.shape[0] != SIZE:
            break
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def skipped_by_loss(model, optimizer, dataset):
    """It skips for another reason."""
    loader = DataLoader(dataset, batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        loss = model(x, y)
        if not loss.requires_grad:
            continue
        loss.backward()
        xm.optimizer_step(optimizer)


def ended_by_count(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE)
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        if step >= 100:
            break
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def ended_by_setting(model, optimizer, dataset, steps):
    """How many rounds these are nobody sees: perhaps more than there are."""
    loader = DataLoader(dataset, batch_size=SIZE)  # expect: TL501
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        if step >= steps:
            break
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def ended_by_text(model, optimizer, dataset, mode):
    loader = DataLoader(dataset, batch_size=SIZE)  # expect: TL501
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, torch_xla.device())):
        if mode == "once":
            break
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)
