"""Samplers derived from DistributedSampler inherit its need for set_epoch."""

import torch
from torch.utils.data import DataLoader
from torch.utils.data import distributed as sharding


class PaddedSampler(sharding.DistributedSampler):
    """Repeats the first samples until every rank has a multiple of ``unit``."""

    def __init__(self, dataset, unit):
        super().__init__(dataset, shuffle=True)
        self.unit = unit

    def __iter__(self):
        order = list(super().__iter__())
        missing = -len(order) % self.unit
        return iter(order + order[:missing])


class LoudSampler(PaddedSampler):
    """Says when it is asked for a new order."""

    def __iter__(self):
        print("new order")
        return super().__iter__()


def update(model, optimizer, x, y):
    loss = torch.nn.functional.l1_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def forgotten(dataset, model, optimizer):
    loader = DataLoader(dataset, batch_size=8, sampler=PaddedSampler(dataset, 8))
    for e in range(20):  # expect: TL201
        for x, y in loader:
            update(model, optimizer, x, y)


def forgotten_grandchild(dataset, model, optimizer):
    order = LoudSampler(dataset, unit=8)
    loader = DataLoader(dataset, 8, sampler=order)
    for e in range(20):  # expect: TL201
        for x, y in loader:
            update(model, optimizer, x, y)


def told(dataset, model, optimizer):
    order = LoudSampler(dataset, unit=8)
    loader = DataLoader(dataset, batch_size=8, sampler=order)
    for e in range(20):
        order.set_epoch(e)
        for x, y in loader:
            update(model, optimizer, x, y)
