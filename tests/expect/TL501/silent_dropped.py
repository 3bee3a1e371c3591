"""Every batch has one size, or somebody decides it elsewhere."""

import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl
from torch.utils.data import DataLoader


def fit(model, optimizer, loader):
    for x, y in pl.MpDeviceLoader(loader, xm.xla_device()):
        optimizer.zero_grad()
        model(x, y).backward()
        xm.optimizer_step(optimizer)


def dropped(model, optimizer, images):
    fit(model, optimizer, DataLoader(images, batch_size=32, shuffle=True, drop_last=True))


def positional(model, optimizer, images):
    fit(model, optimizer, DataLoader(images, 32, True, None, None, 4, None, False, True))


def by_flag(model, optimizer, images, flags):
    fit(model, optimizer, DataLoader(images, batch_size=32, drop_last=flags.drop_last))


def by_options(model, optimizer, images, options):
    fit(model, optimizer, DataLoader(images, batch_size=32, **options))


def training_only(model, optimizer, images, train):
    fit(model, optimizer, DataLoader(images, batch_size=32, shuffle=train, drop_last=train))


def made(images, size, **options):
    return DataLoader(images, batch_size=size, **options)


def handed_on(model, optimizer, images):
    fit(model, optimizer, made(images, 32, shuffle=True, drop_last=True))


def one_by_one(model, optimizer, images):
    fit(model, optimizer, DataLoader(images))
    fit(model, optimizer, DataLoader(images, batch_size=1))
