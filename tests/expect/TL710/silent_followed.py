"""Schedules that step somewhere, or may."""

import torch
from torch.optim import Adam, lr_scheduler
from torch.optim.lr_scheduler import LambdaLR, StepLR
from torch.optim.swa_utils import SWALR


def by_a_metric(model, loader, validate):
    optimizer = Adam(model.parameters())
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        plateau.step(validate(model))


def switched(model, loader, epochs, start):
    optimizer = Adam(model.parameters())
    scheduler, late = StepLR(optimizer, 10), SWALR(optimizer, swa_lr=0.05)
    for epoch in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        (late if epoch > start else scheduler).step()


def chained(model, loader):
    optimizer = Adam(model.parameters())
    schedulers = [StepLR(optimizer, 10), LambdaLR(optimizer, lambda epoch: 0.9**epoch)]
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        for scheduler in schedulers:
            scheduler.step()


class WarmUp:
    def __init__(self, optimizer, after):
        self.optimizer, self.after, self.count = optimizer, after, 0

    def step(self):
        self.count += 1
        if self.count > 100:
            self.after.step()


def wrapped(model, loader):
    optimizer = Adam(model.parameters())
    scheduler = WarmUp(optimizer, lr_scheduler.CosineAnnealingLR(optimizer, 1000))
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()


class Trainer:
    def __init__(self, model, warm):
        self.model = model
        self.optimizer = Adam(model.parameters())
        self.scheduler = StepLR(self.optimizer, 10) if warm else None

    def after_epoch(self):
        if self.scheduler is not None:
            self.scheduler.step()

    def fit(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
        self.after_epoch()


class Named:
    """What is called is written in the configuration."""

    def __init__(self, model, config):
        self.optimizer = Adam(model.parameters())
        self.scheduler = StepLR(self.optimizer, config.every)
        self.model, self.when = model, config.when

    def fit(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()
            getattr(self, self.when).step()


def by_an_engine(model, deepspeed, arguments):
    optimizer = Adam(model.parameters())
    scheduler = StepLR(optimizer, 10)
    return deepspeed.initialize(args=arguments, model=model, optimizer=optimizer, lr_scheduler=scheduler)


def plotted(optimizer):
    scheduler = StepLR(optimizer, 10)
    rates = []
    for _ in range(100):
        rates.append(scheduler.get_last_lr())
        scheduler.step()
    return rates


def for_nothing(model):
    optimizer = Adam(model.parameters())
    scheduler = StepLR(optimizer, 10)
    print(torch.__version__, scheduler.get_last_lr())


def one_for_each(models, loader):
    optimizers = [Adam(model.parameters()) for model in models]
    schedulers = [StepLR(optimizer, 10) for optimizer in optimizers]
    for batch in loader:
        for optimizer, scheduler, model in zip(optimizers, schedulers, models):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            scheduler.step()


def perhaps_none(model, loader, kind):
    optimizer = Adam(model.parameters())
    if kind == "exponential":
        scheduler = lr_scheduler.ExponentialLR(optimizer, 0.9)
    elif kind == "step":
        scheduler = StepLR(optimizer, 10)
    elif kind == "none":
        print("no schedule")
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if kind != "none":
            scheduler.step()
