"""A function empties the cache whatever happens, or only where a test says so."""

import torch


def empty():
    torch.cuda.empty_cache()  # expect: TL305


def maybe(flag):
    if flag:
        torch.cuda.empty_cache()


def train(model, loader, optimizer):
    for batch in loader:
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        empty()


def now_and_then(model, loader, optimizer, flags):
    for batch, flag in zip(loader, flags):
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        maybe(flag)
