"""Gradients are emptied between the backward pass and the step; a timer, a profiler or a meter steps in between."""

import torch


def timed(model, criterion, optimizer, loader, timer):
    for images, labels in loader:
        loss = criterion(model(images), labels)
        loss.backward()
        timer.step()
        optimizer.zero_grad()  # expect: TL702
        optimizer.step()


def profiled(model, criterion, optimizer, loader):
    with torch.profiler.profile(schedule=torch.profiler.schedule(1, 1, 3)) as profiler:
        for images, labels in loader:
            if images is None:
                continue
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.zero_grad()  # expect: TL702
            profiler.step()
            optimizer.step()


class Trainer:
    def __init__(self, model, lr, meter):
        self.model = model
        self.meter = meter
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)

    def fit(self, loader):
        for number, batch in enumerate(loader):
            loss = self.model(batch).mean()
            if not torch.isfinite(loss):
                print("skipped", number)
                continue
            loss.backward()
            self.meter.step(number)
            self.optimizer.zero_grad()  # expect: TL702
            self.optimizer.step()
