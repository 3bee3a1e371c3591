"""The loader is made in one function and iterated in another; the order of the first epoch repeats for ever."""

import torch
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def make_loader(points, batch):
    return DataLoader(points, batch_size=batch, sampler=DistributedSampler(points), drop_last=True)


def make_pair(points, batch):
    order = DistributedSampler(points, drop_last=True)
    return DataLoader(points, batch_size=batch, sampler=order), order


def step(model, optimizer, x, y):
    loss = mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def forgotten(points, network, epochs):
    loader = make_loader(points, 32)
    model = DDP(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):  # expect: TL201
        for x, y in loader:
            step(model, optimizer, x, y)
        print("done with", epoch)


def forgotten_any_name(points, network, rounds):
    loader, _ = make_pair(points, 32)
    model = DDP(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):  # expect: TL201
        for x, y in loader:
            step(model, optimizer, x, y)


def through_the_pair(points, network, rounds):
    loader, order = make_pair(points, 32)
    model = DDP(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for r in range(rounds):
        order.set_epoch(r)
        for x, y in loader:
            step(model, optimizer, x, y)


def through_the_loader(points, network, start, stop):
    loader = make_loader(points, 32)
    model = DDP(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for lap in range(start, stop):
        loader.sampler.set_epoch(lap)
        for x, y in loader:
            step(model, optimizer, x, y)


def iterated_by_a_callee(points, network, epochs):
    model = DDP(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader = make_loader(points, 16)
    for epoch in range(1, epochs + 1):  # expect: TL201
        one_pass(train_loader, model, optimizer)


def one_pass(batches, model, optimizer):
    model.train()
    for x, y in batches:
        step(model, optimizer, x, y)
