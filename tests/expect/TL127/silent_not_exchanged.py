"""Windows in which gradients are exchanged once, or not by DDP."""

import contextlib

import torch
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP


def chosen(model, optimizer, loader, rank, window):
    model = DDP(model.to(rank))
    for i, x in enumerate(loader):
        context = model.no_sync if (i + 1) % window != 0 else contextlib.nullcontext
        with context():
            (model(x).mean() / window).backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def has_it(model, optimizer, loader, rank, window):
    model = DDP(model.to(rank))
    has_no_sync = hasattr(model, "no_sync")

    def backward(x):
        (model(x).mean() / window).backward()

    for i, x in enumerate(loader):
        update = (i + 1) % window == 0
        if has_no_sync and not update:
            with model.no_sync():
                backward(x)
        else:
            backward(x)
        if update:
            optimizer.step()
            optimizer.zero_grad()


def sharded(model, loader, rank, window):
    model = FSDP(model.to(rank))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        (model(x).mean() / window).backward()
        if (i + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def only_logged(model, optimizer, loader, rank, every):
    model = DDP(model.to(rank))
    for i, x in enumerate(loader):
        optimizer.zero_grad()
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        if (i + 1) % every == 0:
            print(loss.item())
