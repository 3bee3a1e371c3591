"""One scheduler that is stepped for each batch and once more in each epoch: by helpers, methods, hooks."""

import torch
from epochs import one_epoch, one_epoch_without
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, OneCycleLR, StepLR


def by_helpers(model, loader, epochs, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, every)
    for _ in range(epochs):
        one_epoch(model, loader, optimizer, scheduler)
        scheduler.step()  # expect: TL712


def by_one_helper(model, loader, epochs, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, every)
    for _ in range(epochs):
        one_epoch_without(model, loader, optimizer)
        scheduler.step()


def one_for_each(model, loader, epochs, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler, warmup = StepLR(optimizer, every), LinearLR(optimizer, total_iters=100)
    for _ in range(epochs):
        one_epoch(model, loader, optimizer, warmup)
        scheduler.step()


class Trainer:
    def __init__(self, model, steps):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scheduler = CosineAnnealingLR(self.optimizer, steps)

    def batch(self, batch):
        self.optimizer.zero_grad()
        self.model(batch).mean().backward()
        self.optimizer.step()
        self.scheduler.step()

    def epoch(self, loader):
        for batch in loader:
            self.batch(batch)

    def run(self, loader, epochs):
        for _ in range(epochs):
            self.epoch(loader)
            self.scheduler.step()  # expect: TL712


class Schedule:
    def __init__(self, scheduler):
        self.scheduler = scheduler

    def on_batch_end(self):
        self.scheduler.step()

    def on_epoch_end(self):
        self.scheduler.step()  # expect: TL712


def by_a_hook(model, loader, epochs, rate):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    hook = Schedule(OneCycleLR(optimizer, rate, epochs * len(loader)))
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            hook.on_batch_end()
        hook.on_epoch_end()


def warming_up(model, loader, epochs, warm, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, every)
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if epoch < warm:
                scheduler.step()
        if epoch >= warm:
            scheduler.step()


def as_configured(model, loader, args):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = OneCycleLR(optimizer, 0.1, 10) if args.one_cycle else StepLR(optimizer, 3)
    for _ in range(args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if args.one_cycle:
                scheduler.step()
        if not args.one_cycle:
            scheduler.step()


def told(model, loader, epochs, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, every)
    for epoch in range(epochs):
        for number, batch in enumerate(loader):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            scheduler.step(epoch + number / len(loader))
        scheduler.step(epoch + 1)


def counting_both(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = OneCycleLR(optimizer, 0.1, total_steps=epochs * len(loader) + epochs)
    for _ in range(epochs):
        one_epoch(model, loader, optimizer, scheduler)
        scheduler.step()
