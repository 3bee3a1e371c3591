"""Short batches are filled up, or left out."""

import functools

import torch
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, IterableDataset, default_collate
from transformers.trainer_pt_utils import IterableDatasetShard


def filled(items, size):
    items = items + [items[-1]] * (size - len(items))
    return default_collate(items)


class Filling:
    def __init__(self, size):
        self.size = size

    def __call__(self, items):
        while len(items) < self.size:
            items.append(items[0])
        return default_collate(items)


def fit(model, optimizer, loader):
    for x, y in pl.MpDeviceLoader(loader, xm.xla_device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def by_partial(model, optimizer, images, size):
    fit(model, optimizer, DataLoader(images, batch_size=size, collate_fn=functools.partial(filled, size=size)))


def by_object(model, optimizer, images, size):
    fit(model, optimizer, DataLoader(images, batch_size=size, collate_fn=Filling(size)))


def whole(model, optimizer, images):
    """One batch of everything."""
    fit(model, optimizer, DataLoader(images, batch_size=len(images)))


def stream_of_a_process(model, optimizer, images, size):
    """A stream that gives every process whole batches."""
    if isinstance(images, IterableDataset):
        images = IterableDatasetShard(images, batch_size=size)
    fit(model, optimizer, DataLoader(images, batch_size=size))


def left_out(model, optimizer, images, size):
    for x, y in pl.MpDeviceLoader(DataLoader(images, batch_size=size), xm.xla_device()):
        if x.shape[0] != size:
            continue
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def looked_at(model, images, size):
    """Evaluation keeps its tail."""
    with torch.no_grad():
        return [model(x) for x, _ in pl.MpDeviceLoader(DataLoader(images, batch_size=size), xm.xla_device())]


def a_hundred_steps(model, optimizer, images):
    """The last batch is never asked for."""
    loader = DataLoader(images, batch_size=8, shuffle=True)
    for step, (x, y) in enumerate(pl.MpDeviceLoader(loader, xm.xla_device())):
        if step > 99:
            return
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)
