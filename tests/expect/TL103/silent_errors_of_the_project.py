"""Errors of settings, which all ranks have; errors that end the job; errors that somebody else raises, for all."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Unknown(ValueError):
    pass


class Enough(Exception):
    pass


class Nothing(Exception):
    pass


def rate(settings, name):
    if name not in settings:
        raise Unknown(name)
    return settings[name]


def told(batch, empty):
    dist.all_reduce(empty, op=dist.ReduceOp.MAX)
    if empty.item() > 0:
        raise Nothing
    return batch


class Net(torch.nn.Module):
    def forward(self, batch):
        if batch.sum() == 0:
            raise Nothing
        return batch.mean()


def of_settings(network, loader, optimizer, settings):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            scale = rate(settings, "scale")
        except Unknown:
            continue
        (model(batch).mean() * scale).backward()
        optimizer.step()
        optimizer.zero_grad()


def told_by_all(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            batch = told(batch, (batch.sum() == 0).float())
        except Nothing:
            continue
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def stopped(network, loader, optimizer, after):
    model = DistributedDataParallel(network)
    try:
        for batch in loader:
            model(batch).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
            after(optimizer)
    except Enough:
        print("enough")
    dist.barrier()


def enough(optimizer):
    if optimizer.param_groups[0]["lr"] < 1e-6:
        raise Enough


def ended(loader, optimizer):
    model = DistributedDataParallel(Net())
    for batch in loader:
        try:
            model(batch).backward()
        except Nothing as error:
            print("no batch is empty")
            raise SystemExit(1) from error
        optimizer.step()
        optimizer.zero_grad()
