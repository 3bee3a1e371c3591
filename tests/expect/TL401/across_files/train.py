"""Loops that use both."""

import torch

import steps
from precision import Mixed, half_context, half_region


def by_helper(model, criterion, optimizer, loader):
    for inputs, targets in loader:
        with half_context():  # expect: TL401
            loss = criterion(model(inputs), targets)
        steps.update(optimizer, loss)


def by_generator(model, criterion, optimizer, loader, config):
    for inputs, targets in loader:
        with half_region(config.mixed):  # expect: TL401
            loss = criterion(model(inputs), targets)
        steps.update(optimizer, loss)


def by_object(model, criterion, optimizer, loader):
    for inputs, targets in loader:
        with Mixed():
            loss = criterion(model(inputs), targets)
        steps.update(optimizer, loss)


def around_the_whole_step(model, criterion, optimizer, loader):
    for batch in loader:
        with torch.autocast("cuda"):  # expect: TL401
            steps.whole_step(model, criterion, optimizer, batch)


def told_bfloat16(model, criterion, optimizer, loader):
    for inputs, targets in loader:
        with half_context(dtype=torch.bfloat16):
            loss = criterion(model(inputs), targets)
        steps.update(optimizer, loss)


def told_off(model, criterion, optimizer, loader):
    for inputs, targets in loader:
        with half_region(False):
            loss = criterion(model(inputs), targets)
        steps.update(optimizer, loss)


def without(model, criterion, optimizer, loader):
    for batch in loader:
        steps.whole_step(model, criterion, optimizer, batch)
