"""Loaders of a training on a TPU: what keeps a short last batch."""


import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, SequentialSampler
from torch.utils.data import WeightedRandomSampler

SIZE = 64


def plain(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def dropped(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE, drop_last=True)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def kept(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE, drop_last=False)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def dropped_by_setting(model, optimizer, dataset, drop):
    loader = DataLoader(dataset, batch_size=SIZE, drop_last=drop)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def with_options(model, optimizer, dataset, options):
    loader = DataLoader(dataset, batch_size=SIZE, **options)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def one_at_a_time(model, optimizer, dataset):
    loader = DataLoader(dataset)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def one_by_number(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=1)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def unbatched(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=None)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def all_at_once(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=len(dataset))
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def size_by_function(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=min(SIZE, 32))  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def shuffled(model, optimizer, dataset):
    loader = DataLoader(dataset, SIZE, True)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def in_random_order(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE, sampler=RandomSampler(dataset))  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def so_many_samples(model, optimizer, dataset):
    order = RandomSampler(dataset, replacement=True, num_samples=SIZE * 100)
    loader = DataLoader(dataset, batch_size=SIZE, sampler=order)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def as_many_samples_as_data(model, optimizer, dataset):
    order = RandomSampler(dataset, replacement=True, num_samples=len(dataset))
    loader = DataLoader(dataset, batch_size=SIZE, sampler=order)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def weighted_as_many(model, optimizer, dataset, weights):
    order = WeightedRandomSampler(weights, num_samples=len(weights))
    loader = DataLoader(dataset, batch_size=SIZE, sampler=order)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def weighted(model, optimizer, dataset, weights):
    order = WeightedRandomSampler(weights, 6400)
    loader = DataLoader(dataset, batch_size=SIZE, sampler=order)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def sampler_with_options(model, optimizer, dataset, options):
    order = RandomSampler(dataset, **options)
    loader = DataLoader(dataset, batch_size=SIZE, sampler=order)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def no_sampler(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE, sampler=None)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def sampler_from_somewhere(model, optimizer, dataset, order):
    loader = DataLoader(dataset, batch_size=SIZE, sampler=order)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def order_of_a_list(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE, sampler=[1, 2, 3])
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def order_perhaps(model, optimizer, dataset, weights=None):
    order = RandomSampler(dataset) if weights is not None else None
    loader = DataLoader(dataset, batch_size=SIZE, sampler=order)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def sampled_batches(model, optimizer, dataset):
    batches = BatchSampler(SequentialSampler(dataset), SIZE, False)  # expect: TL501
    loader = DataLoader(dataset, batch_sampler=batches)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def sampled_batches_dropped(model, optimizer, dataset):
    batches = BatchSampler(SequentialSampler(dataset), SIZE, True)
    loader = DataLoader(dataset, batch_sampler=batches)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def sampled_batches_of_many(model, optimizer, dataset):
    order = RandomSampler(dataset, replacement=True, num_samples=6400)
    loader = DataLoader(dataset, batch_sampler=BatchSampler(order, SIZE, False))
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def sampled_batches_of_somebody(model, optimizer, dataset, batches):
    loader = DataLoader(dataset, batch_sampler=batches)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def sampled_batches_perhaps(model, optimizer, dataset, grouped):
    batches = BatchSampler(SequentialSampler(dataset), SIZE, False) if grouped else None  # expect: TL501
    loader = DataLoader(dataset, batch_sampler=batches)
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def no_sampled_batches(model, optimizer, dataset):
    loader = DataLoader(dataset, batch_size=SIZE, batch_sampler=None)  # expect: TL501
    for x, y in pl.MpDeviceLoader(loader, torch_xla.device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)
