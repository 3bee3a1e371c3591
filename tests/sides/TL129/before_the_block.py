"""Forward passes of a replicated model before its `no_sync()`, and within it."""

import contextlib

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def before(net, batches, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        loss = model(x).mean()
        with model.no_sync():
            loss.backward()  # expect: TL129


def within(net, batches, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        with model.no_sync():
            loss = model(x).mean()
            loss.backward()


def by_forward(net, batches, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        loss = model.forward(x).mean()
        with model.no_sync():
            loss.backward()  # expect: TL129


def not_wrapped(model, batches):
    for x in batches:
        loss = model(x).mean()
        with model.no_sync():
            loss.backward()


def of_another_model(net, other, batches, rank):
    model, second = DDP(net.to(rank), device_ids=[rank]), DDP(other.to(rank), device_ids=[rank])
    for x in batches:
        loss = second(x).mean()
        with model.no_sync():
            loss.backward()


def in_some_rounds(net, batches, rank, last):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        loss = model(x).mean()
        with contextlib.nullcontext() if last(x) else model.no_sync():
            loss.backward()  # expect: TL129


def under_another_manager(net, batches, rank, lock):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        loss = model(x).mean()
        with lock:
            loss.backward()


def with_another_manager(net, batches, rank, lock):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        loss = model(x).mean()
        with lock, model.no_sync():
            loss.backward()  # expect: TL129


def not_recorded(net, batches, rank, head):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        with torch.no_grad():
            features = model(x)
        loss = head(features).mean()
        with model.no_sync():
            loss.backward()


def in_two_branches(net, optimizer, batches, rank, every):
    model = DDP(net.to(rank), device_ids=[rank])
    for number, x in enumerate(batches):
        loss = model(x).mean()
        if number % every:
            with model.no_sync():
                loss.backward()  # expect: TL129
        else:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


def in_two_branches_and_stepped_wrongly(net, optimizer, batches, rank, every):
    model = DDP(net.to(rank), device_ids=[rank])
    for number, x in enumerate(batches):
        loss = model(x).mean()
        if number % every == 0:
            with model.no_sync():
                loss.backward()  # expect: TL129
            optimizer.step()
            optimizer.zero_grad()
        else:
            loss.backward()


def in_one_branch(net, batches, rank, every):
    model = DDP(net.to(rank), device_ids=[rank])
    for number, x in enumerate(batches):
        loss = model(x).mean()
        if number % every:
            with model.no_sync():
                loss.backward()  # expect: TL129


def forward_in_the_branch(net, batches, rank, every):
    model = DDP(net.to(rank), device_ids=[rank])
    for number, x in enumerate(batches):
        if number % every:
            loss = model(x).mean()
            with model.no_sync():
                loss.backward()  # expect: TL129
        else:
            model(x).mean().backward()


def twice_in_one_block(net, batches, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        first, second = model(x).mean(), model(x).sum()
        with model.no_sync():
            first.backward(retain_graph=True)  # expect: TL129
            second.backward()


def loss_of(model, x):
    return model(x).mean()


def in_a_helper(net, batches, rank):
    model = DDP(net.to(rank), device_ids=[rank])
    for x in batches:
        loss = loss_of(model, x)
        with model.no_sync():
            loss.backward()  # expect: TL129


class Trainer:
    def __init__(self, net, rank):
        self.model = DDP(net.to(rank), device_ids=[rank])

    def step(self, x):
        loss = self.model(x).mean()
        with self.model.no_sync():
            loss.backward()  # expect: TL129
