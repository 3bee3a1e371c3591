"""A loop over loaders draws no batches: whether one is empty is the same everywhere."""

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def step(model, criterion, batch):
    loss = criterion(model(batch["x"]), batch["y"])
    loss.backward()


def evaluate(network, loaders, criterion, report):
    model = DistributedDataParallel(network)
    for loader in loaders:
        if len(loader) == 0:
            continue
        for number, batch in enumerate(loader):
            step(model, criterion, batch)
        dist.barrier()
        report(loader)


def one_step(model, criterion, optimizer, batch):
    """A step that is on its guard: no loader in sight hands out nothing."""
    if batch is None:
        return None
    loss = criterion(model(batch["inputs"]), batch["targets"])
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def on_its_guard(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        one_step(model, criterion, optimizer, batch)
