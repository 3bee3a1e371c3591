"""Data of a training on a TPU: how many items there are, and whether they come out even."""


import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader, Dataset, IterableDataset, SequentialSampler
from torch.utils.data import SubsetRandomSampler, TensorDataset
from torchvision import datasets

SIZE = 64


class Stream(IterableDataset):
    def __iter__(self):
        yield from range(1000)


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, index):
        return self.rows[index]

    def __len__(self):
        return len(self.rows)


class Handing:
    """It only hands out: nobody knows how many there are."""

    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


class Both(Rows):
    def __iter__(self):
        return iter(self.rows)


class NoLength(Dataset):
    def __getitem__(self, index):
        return index


class Fitting(Rows):
    def __len__(self):
        return 10 * SIZE


class FittingNumber(Rows):
    def __len__(self):
        return 6400


class OtherNumber(Rows):
    def __len__(self):
        return 6401


class Added(Rows):
    def __len__(self):
        return SIZE + 6401


class Multiple(Rows):
    def __len__(self):
        return 7 * len(self.rows)


def of_rows(model, optimizer, rows):
    loader = DataLoader(Rows(rows), batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_stream(model, optimizer):
    loader = DataLoader(Stream(), batch_size=SIZE)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_handing(model, optimizer, rows):
    loader = DataLoader(Handing(rows), batch_size=SIZE)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_both(model, optimizer, rows):
    loader = DataLoader(Both(rows), batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_no_length(model, optimizer):
    loader = DataLoader(NoLength(), batch_size=SIZE, sampler=SequentialSampler([1, 2]))  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_fitting(model, optimizer, rows):
    loader = DataLoader(Fitting(rows), batch_size=SIZE)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_fitting_number(model, optimizer, rows):
    loader = DataLoader(FittingNumber(rows), batch_size=SIZE)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_other_number(model, optimizer, rows):
    loader = DataLoader(OtherNumber(rows), batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_added(model, optimizer, rows):
    loader = DataLoader(Added(rows), batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_multiple(model, optimizer, rows):
    loader = DataLoader(Multiple(rows), batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_made_up(model, optimizer):
    loader = DataLoader(TensorDataset(torch.randn(1000, 3)), batch_size=SIZE)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_tensors(model, optimizer, images, labels):
    loader = DataLoader(TensorDataset(images, labels), batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_published_even(model, optimizer):
    loader = DataLoader(datasets.MNIST("data"), batch_size=100)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_published(model, optimizer):
    loader = DataLoader(datasets.MNIST("data"), batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_published_sampled(model, optimizer):
    """Each process has a part: which need not come out even."""
    data = datasets.MNIST("data")
    loader = DataLoader(data, batch_size=100, sampler=SubsetRandomSampler(range(70)))  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_published_by_setting(model, optimizer, size):
    loader = DataLoader(datasets.MNIST("data"), batch_size=size)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def of_data_with_options(model, optimizer, options):
    loader = DataLoader(**options)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)
