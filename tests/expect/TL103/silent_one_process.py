"""Nobody waits: the model belongs to one process, and collectives stand elsewhere."""

import time

import torch
import torch.distributed as dist


def fit(model, loader, criterion, optimizer):
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        if torch.isnan(loss):
            continue
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def several_gpus(network, loader, criterion, optimizer):
    model = torch.nn.DataParallel(network)  # trainlint: ignore[TL116]
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        if torch.isnan(loss):
            continue
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def log_now_and_then(steps, run, log):
    last = time.time()
    for step in range(steps):
        loss = run(step)
        dist.all_reduce(loss)
        if time.time() - last > 10:
            log(loss)
            last = time.time()


def unknown(loss, step):
    if torch.isnan(loss):
        return
    step()
    dist.barrier()
