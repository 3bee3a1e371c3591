"""A loader that is one of XLA already is not wrapped again; and evaluations need not end what the training ends."""

import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def wrapped(loader, device, use_xla):
    if use_xla and not isinstance(loader, pl.MpDeviceLoader):
        loader = pl.MpDeviceLoader(loader, device)
    return loader


def train(model, optimizer, loader, use_xla):
    for batch in wrapped(loader, xm.xla_device(), use_xla):
        optimizer.zero_grad()
        model(batch).sum().backward()
        xm.optimizer_step(optimizer)
