"""Somebody divides; or the gradients of several things are to be summed; or nothing is accumulated."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.cuda.amp import GradScaler


def in_place(model, loader, optimizer, steps):
    for index, batch in enumerate(loader):
        loss = model(batch)
        loss /= steps
        loss.backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def step_of(model, batch, share):
    return model(batch).mean() * share


def in_a_helper(model, loader, optimizer, steps):
    for index, batch in enumerate(loader):
        step_of(model, batch, 1 / steps).backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def told_the_size(model, criterion, loader, optimizer, steps):
    for index, (x, y) in enumerate(loader):
        criterion(model(x), y, steps).backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def a_sum(model, loader, optimizer, steps):
    criterion = nn.CrossEntropyLoss(reduction="sum")
    for index, (x, y) in enumerate(loader):
        criterion(model(x), y).backward()
        if (index + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()


def normalised_by_the_tokens(model, loader, optimizer, steps):
    tokens = 0
    for index, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()
        tokens += y.numel()
        if (index + 1) % steps == 0:
            for parameter in model.parameters():
                parameter.grad.div_(tokens)
            optimizer.step()
            optimizer.zero_grad()


class Detector(nn.Module):
    def forward(self, x, y):
        return F.smooth_l1_loss(x, y) * x.size(0)


def sized_by_the_loss(loader, model, optimizer, accumulate):
    compute_loss = Detector()
    scaler = GradScaler()
    for number, (x, y) in enumerate(loader):
        scaler.scale(compute_loss(model(x), y)).backward()
        if number % accumulate == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def several_losses(models, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        for index in range(len(models)):
            models[index](batch).mean().backward()
        optimizer.step()


def rarely_emptied_elsewhere(model, loader, optimizer, every, log):
    for index, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if index % every == 0:
            log(index)
            optimizer.zero_grad()


def framework(model, loader, optimizer, engine, steps):
    for index, batch in enumerate(loader):
        engine.backward(model(batch))
        if (index + 1) % steps == 0:
            engine.step()
