"""Timers, profilers, meters and loggers step beside the optimizer: nobody gave them the gradients, and nobody empties those."""

import time

import torch
from clocks import Timer
from meters import AverageMeter, ProgressMeter


def timed(model, criterion, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    timer = Timer()
    for _ in range(epochs):
        for images, labels in loader:
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()  # expect: TL701
            timer.step()


def profiled(model, criterion, optimizer, loader, profiler):
    for images, labels in loader:
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()  # expect: TL701
        profiler.step()


def measured(model, criterion, optimizer, loader, tracker):
    meter, batch_time = AverageMeter("loss"), AverageMeter("time")
    progress = ProgressMeter(len(loader), [meter, batch_time])
    end = time.time()
    for number, (images, labels) in enumerate(loader):
        loss = criterion(model(images), labels)
        meter.update(loss.item(), images.size(0))
        loss.backward()
        optimizer.step()  # expect: TL701
        batch_time.update(time.time() - end)
        end = time.time()
        meter.step()
        tracker.step(number)
        progress.display(number)


def announced(model, criterion, optimizer, loader, callbacks):
    for number, (images, labels) in enumerate(loader):
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()  # expect: TL701
        callbacks.on_batch(number, loss.item())


class Trainer:
    def __init__(self, model, clock, lr):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.clock = clock
        self.warm_up = 100

    def fit(self, loader, bar):
        for batch in loader:
            loss = self.model(batch).mean()
            loss.backward()
            self.optimizer.step()  # expect: TL701
            self.clock.step()
            bar.step(1)
