"""Loops that leave it to the wrapper."""

import torch
from scaling import Stepper, Updater


def loss_outside(model, criterion, optimizer, loader):
    step = Stepper()
    for x, y in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            output = model(x)
        loss = criterion(output, y)
        step(loss, optimizer, clip=1.0, parameters=model.parameters())


def by_methods(model, criterion, optimizer, loader):
    updater = Updater(optimizer, half=True)
    for x, y in loader:
        with torch.cuda.amp.autocast():
            loss = criterion(model(x), y)
        optimizer.zero_grad()
        updater.differentiate(loss)
        updater.apply()


def by_whoever(model, criterion, trainer, loader):
    for x, y in loader:
        with torch.cuda.amp.autocast():
            loss = criterion(model(x), y)
        trainer.backward(loss)
        trainer.optimizer.step()
