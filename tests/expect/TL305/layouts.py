"""Calls at every place of a block, so that the repair leaves no block empty."""

import gc

import torch
from torch.cuda import empty_cache


def first(model, optimizer, loader):
    for x in loader:
        empty_cache()  # expect: TL305
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()


def alone_in_a_branch(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()  # expect: TL305
        else:
            print("no GPU")


def alone_under_a_long_test(model, optimizer, loader, local_rank, device):
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        if local_rank == 0 and device.type == "cuda":
            torch.cuda.empty_cache()  # expect: TL305


def counted(model, optimizer, batches, steps):
    for step in range(steps):
        x = next(batches)
        loss = model(x.cuda())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        del loss, x
        gc.collect()  # expect: TL305
