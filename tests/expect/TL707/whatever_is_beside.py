"""Beside the window: apex, a function that calls itself, data without an end, and lengths that are divided."""

import torch
from apex import amp


def half(model, loader, optimizer, every):
    for index, batch in enumerate(loader):
        loss = model(batch).mean() / every
        with amp.scale_loss(loss, optimizer) as scaled:
            scaled.backward()
        torch.nn.utils.clip_grad_norm_(amp.master_params(optimizer), 1.0)
        if (index + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def to_device(thing, device):
    if isinstance(thing, (list, tuple)):
        return [to_device(each, device) for each in thing]
    return thing.to(device)


def moved(model, loader, optimizer, every, device):
    for index, batch in enumerate(loader):
        (model(to_device(batch, device)).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


class Endless:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        while True:
            for batch in self.loader:
                yield batch


def without_end(model, loader, optimizer, every, steps):
    done = 0
    for index, batch in enumerate(Endless(loader)):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
            done += 1
        if done == steps:
            break


class Twice:
    def __init__(self, loader):
        self.loader = loader

    def __iter__(self):
        while True:
            yield from self.loader
            break


def with_an_end(model, loader, optimizer, every):
    for index, batch in enumerate(Twice(loader)):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def planned(model, loader, optimizer, make_scheduler, every, epochs):
    scheduler = make_scheduler(len(loader) // every * epochs)
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()  # expect-likely: TL707
            scheduler.step()
            optimizer.zero_grad()


def one_out_of_sight(model, loader, optimizer, penalty, every):
    for index, batch in enumerate(loader):
        loss = model(batch).mean() + penalty(model)
        (loss / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def one_that_is_handed_it(model, loader, optimizer, anneal, every):
    for index, batch in enumerate(loader):
        (model(batch).mean() / every).backward()
        anneal(optimizer)
        if (index + 1) % every == 0:
            optimizer.step()  # expect-likely: TL707
            optimizer.zero_grad()
