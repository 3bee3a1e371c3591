"""What looks like data and is the same everywhere: numbers of steps, sizes of batches, what is configured."""

import itertools

import torch
from torch.nn.parallel import DistributedDataParallel


def fit(network, loader, criterion, optimizer, first, batch_size, limit=None):
    model = DistributedDataParallel(network)
    for step, (inputs, targets) in enumerate(loader):
        if step < first:
            continue
        if inputs.size(0) < batch_size or len(targets) == 1:
            continue
        if limit is not None and step >= limit:
            break
        criterion(model(inputs), targets).backward()
        optimizer.step()
        optimizer.zero_grad()


def stepped(network, loader, criterion, optimizer, schedule, log_every):
    model = DistributedDataParallel(network)
    done = 0
    for inputs, targets in loader:
        weight = schedule(done)
        loss = criterion(model(inputs), targets) * weight
        if weight == 0:
            continue
        loss.backward()
        done += 1
        if done % log_every == 0:
            total = loss.detach().clone()
            torch.distributed.all_reduce(total)


def alternating(network, other, loader, criterion, turns):
    first, second = DistributedDataParallel(network), DistributedDataParallel(other)
    for turn, batch in zip(turns, loader):
        model = first if turn else second
        loss = criterion(model(batch))
        if turn:
            loss.backward()


def counted(network, loader, criterion, optimizer, last):
    model = DistributedDataParallel(network)
    for epoch in itertools.count(start=1):
        for batch in loader:
            labelled = batch.get("target") is not None
            loss = criterion(model(batch["input"]), batch["target"]) if labelled else model(batch["input"], loss=True)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        if epoch >= last:
            break


def never_empty(network, loader, criterion, device):
    """What a loader hands out has something in it, however it is counted."""
    model = DistributedDataParallel(network)
    for batch in loader:
        inputs = batch["inputs"].to(device)
        lengths = batch["lengths"].to(device)
        count = lengths.size(0)
        if count == 0:
            continue
        criterion(model(inputs), lengths).backward()


def nor_is_a_part(network, loader, criterion):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        if len(inputs) == 0 or targets.shape[0] == 0:
            continue
        criterion(model(inputs), targets).backward()
