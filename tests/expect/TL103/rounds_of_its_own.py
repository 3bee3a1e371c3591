"""How often a loop goes round is a number of the rank's own batch, and every round waits for the others."""

from collections import defaultdict

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def step_by_step(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        steps = int(batch["lengths"].max().item())
        for step in range(steps):
            model(batch["inputs"][:, step]).mean().backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def as_often_as_there_are_parts(network, loader, optimizer):
    model = DistributedDataParallel(network)
    for batch in loader:
        for _ in range(1, batch["parts"].sum().item()):
            loss = model(batch["inputs"]).mean()
            loss.backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def with_an_index(network, loader, optimizer, most):
    model = DistributedDataParallel(network)
    for inputs, lengths in loader:
        for step in range(min(most, int(torch.max(lengths)))):
            model(inputs[:, step]).mean().backward()  # expect: TL103
        optimizer.step()
        optimizer.zero_grad()


def for_each_kind_it_met(network, loader):
    model = DistributedDataParallel(network)
    found = {}
    for batch in loader:
        loss = model(batch["inputs"]).mean()
        loss.backward()
        found[batch["kind"][0]] = loss.item()
    for kind, number in found.items():
        total = torch.tensor(number)
        dist.all_reduce(total)  # expect: TL103
        print(kind, total)


def for_each_kind_in_order(network, loader):
    model = DistributedDataParallel(network)
    found = defaultdict(list)
    for batch in loader:
        loss = model(batch["inputs"]).mean()
        loss.backward()
        found[batch["kind"][0]].append(loss.item())
    for kind in sorted(found):
        total = torch.tensor(found[kind]).sum()
        dist.all_reduce(total)  # expect: TL103
