"""Schedules that are asked for a number, told a number, step in a window of frameworks, or come into a loop of their own."""

import contextlib

import torch
from lightning.fabric import Fabric
from torch.optim import lr_scheduler
from torch.optim.swa_utils import SWALR, AveragedModel


class CosineDecay:
    """It returns the rate, and sets it in the groups of the optimizer."""

    def __init__(self, optimizer, top, total):
        self.optimizer, self.top, self.total, self._step = optimizer, top, total, 0.0

    def step(self):
        self._step += 1
        rate = self.top * (1 - self._step / self.total)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate


def predictive(model, loader, optimizer, epochs):
    schedule = CosineDecay(optimizer, 1e-3, epochs * len(loader))
    decay = CosineDecay(optimizer, 0.04, epochs * len(loader))
    for _ in range(epochs):
        for clips in loader:

            def train_step():
                rate, weight_decay = schedule.step(), decay.step()
                loss = model(clips)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                return loss.item(), rate, weight_decay

            print(train_step())


def by_the_iteration(model, loader, optimizer, lr_scheduler, steps_of_warm_up):
    """Told how many it has seen: nothing counts its calls."""
    for number, batch in enumerate(loader):
        if number % 100 == 0 and number <= steps_of_warm_up:
            lr_scheduler.step(number // 100)
        optimizer.zero_grad()
        model(*batch).backward()
        optimizer.step()


def accumulated_by_fabric(model, loader, steps):
    fabric = Fabric()
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer = fabric.setup(model, optimizer)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, 100)
    for number, batch in enumerate(loader):
        accumulating = (number + 1) % steps != 0
        with fabric.no_backward_sync(model, enabled=accumulating):
            loss = model(batch)
            fabric.backward(loss / steps)
        if not accumulating:
            optimizer.step()
            optimizer.zero_grad()
            scheduler.step()


def averaged_weights(model, loader, optimizer, epochs, begin):
    average = AveragedModel(model)
    swa_schedule = SWALR(optimizer, swa_lr=0.05)
    schedule = lr_scheduler.CosineAnnealingLR(optimizer, begin)
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        if epoch > begin:
            average.update_parameters(model)
            swa_schedule.step()
        else:
            schedule.step()


def dampened(unets, optimizers, schedules, warmups, loader):
    """A list of networks; the schedule steps under a context of its warm-up, behind its own optimizer."""
    for number, images in enumerate(loader):
        index = number % len(unets)
        unet, optimizer, schedule, warmup = unets[index], optimizers[index], schedules[index], warmups[index]
        unet(images).backward()
        optimizer.step()
        optimizer.zero_grad()
        with contextlib.nullcontext() if warmup is None else warmup.dampening():
            if schedule is not None:
                schedule.step()


def looked_ahead(optimizer, make_schedule, steps, draw):
    """A curve of the learning rate: nothing is trained."""
    schedule = make_schedule(optimizer)
    rates = []
    for _ in range(steps):
        schedule.step()
        rates.append(schedule.get_last_lr()[0])
    draw(rates)


def resumed(model, loader, make_schedule, start, epochs):
    """The schedule is brought to where the run was interrupted, then the training goes on."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    schedule = make_schedule(optimizer)
    for _ in range(start):
        schedule.step()
    for epoch in range(start, epochs):
        for x, y in loader:
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        schedule.step()


def skipped_when_the_scale_falls(model, loader, optimizer, schedule, scaler):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scale = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        if scale <= scaler.get_scale():
            schedule.step()
