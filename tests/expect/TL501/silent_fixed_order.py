"""The order, or the data, comes out even or never ends."""

import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
import torch_xla.utils.utils as xu
import torch
from torch.utils.data import DataLoader, IterableDataset, RandomSampler, Sampler, TensorDataset
from torchvision.datasets import MNIST


class Endless(Sampler):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        while True:
            yield from range(self.count)


class Records(IterableDataset):
    def __init__(self, files):
        self.files = files

    def __iter__(self):
        for file in self.files:
            yield from file


class Cropped:
    """As many items as fill its batches."""

    def __init__(self, items, size):
        self.items = items
        self.size = size

    def __getitem__(self, index):
        return self.items[index]

    def __len__(self):
        return len(self.items) // self.size * self.size


def fit(model, optimizer, loader):
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def own_sampler(model, optimizer, images):
    fit(model, optimizer, DataLoader(images, batch_size=32, sampler=Endless(len(images))))


def with_replacement(model, optimizer, images, steps):
    order = RandomSampler(images, replacement=True, num_samples=steps * 32)
    fit(model, optimizer, DataLoader(images, batch_size=32, sampler=order))


def stream(model, optimizer, files):
    fit(model, optimizer, DataLoader(Records(files), batch_size=32))


def batched_by_the_data(model, optimizer, batches):
    fit(model, optimizer, DataLoader(batches, batch_size=None))


def cropped(model, optimizer, images, size):
    fit(model, optimizer, DataLoader(Cropped(images, size), batch_size=size, shuffle=True))


def made_up(model, optimizer):
    data = TensorDataset(torch.randn(640, 3), torch.randint(0, 10, (640,)))
    fit(model, optimizer, DataLoader(data, batch_size=64))


def published(model, optimizer, folder):
    fit(model, optimizer, DataLoader(MNIST(folder, train=True), batch_size=100, shuffle=True))


def generated(model, optimizer, size):
    data = (torch.zeros(size, 3), torch.zeros(size, dtype=torch.int64))
    fit(model, optimizer, xu.SampleGenerator(data=data, sample_count=1000 // size))
