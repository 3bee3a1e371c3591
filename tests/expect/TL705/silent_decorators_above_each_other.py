"""One decorator measures, the next puts the model into evaluation mode, and returns from a try."""

import functools
import logging
import time

import torch
from torch import nn

log = logging.getLogger(__name__)


def timed(label):
    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            start = time.perf_counter()
            try:
                return fn(*args, **kwargs)
            finally:
                log.info("%s took %.1f s", label, time.perf_counter() - start)

        return inner

    return wrap


def evaluating(fn):
    @functools.wraps(fn)
    def inner(model, *args, **kwargs):
        was_training = model.training
        model.eval()
        try:
            return fn(model, *args, **kwargs)
        finally:
            model.train(was_training)

    return inner


@timed("validation")
@evaluating
@torch.no_grad()
def validate(model, loader, criterion):
    losses = [criterion(model(x), y).item() for x, y in loader]
    return sum(losses) / len(losses)


def fit(model, train_loader, val_loader, steps):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model.train()
    for epoch in range(20):
        for step, (x, y) in enumerate(train_loader):
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        log.info("val %.4f", validate(model, val_loader, criterion))
