"""A plain backward pass of a float16 loss: factors by hand, and who else may scale."""

import torch
from torch import nn


def plain(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()


def times_a_large_number(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        (loss * 1024).backward()
        for each in model.parameters():
            each.grad /= 1024
        optimizer.step()


def times_a_small_number(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = model(batch).mean()
        (0.5 * loss).backward()
        optimizer.step()


def times_something(model, optimizer, loader, factor):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        (loss * factor).backward()
        optimizer.step()


def times_something_by_method(model, optimizer, loader, factor):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        loss.mul(factor).backward()
        optimizer.step()


def meaned_by_method(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = model(batch)
        loss.mean().backward()
        optimizer.step()


def divided(model, optimizer, loader, steps):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = model(batch).mean()
        (loss / steps).backward()
        optimizer.step()


def multiplied_and_divided(model, optimizer, loader, factor, steps):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        (loss * factor / steps).backward()
        optimizer.step()


def multiplied_in_some_runs(model, optimizer, loader, factor):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        if factor:
            loss = loss * factor
        loss.backward()
        optimizer.step()


def enlarge(loss, factor):
    return loss * factor


def halve(loss):
    return loss / 2


def in_a_helper(model, optimizer, loader, factor):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        enlarge(loss, factor).backward()
        optimizer.step()


def halved_in_a_helper(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = model(batch).mean()
        halve(loss).backward()
        optimizer.step()


def backward_of(loss):
    loss.backward()


def hands_an_enlarged_loss(model, optimizer, loader, factor):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        backward_of(loss * factor)
        optimizer.step()


def by_somebody_who_scales(model, optimizer, loader, loss_scale_manager):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        with loss_scale_manager.scaled(loss) as large:
            large.backward()
        optimizer.step()


def speaks_of_it_by_keyword(model, optimizer, loader, prepare):
    prepare(model, grad_scaler=True)
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()


def asks_for_it(model, optimizer, loader, loss_scaler):
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        if loss_scaler is not None:
            loss = loss_scaler(loss)
        loss.backward()
        optimizer.step()


class Kept:
    def __init__(self, scaler):
        self.scaler = scaler

    def run(self, model, optimizer, loader):
        for batch in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = model(batch).mean()
            loss.backward()
            optimizer.step()


class Bare:
    def __init__(self, model):
        self.model = model

    def run(self, optimizer, loader):
        for batch in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
                loss = self.model(batch).mean()
            loss.backward()
            optimizer.step()


class Above:
    def scale_loss(self, loss):
        return loss * 1024


class Below(Above):
    def run(self, model, optimizer, loader):
        for batch in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = self.scale_loss(model(batch).mean())
            loss.backward()
            optimizer.step()


class Layer(nn.Module):
    def run(self, optimizer, loader):
        for batch in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
                loss = self(batch).mean()
            loss.backward()
            optimizer.step()


def outer(model, optimizer, loader, grad_scaler):
    grad_scaler.begin()

    def inner(batch):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()

    for batch in loader:
        inner(batch)


def outer_without(model, optimizer, loader):
    def inner(batch):
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):  # expect: TL401
            loss = model(batch).mean()
        loss.backward()
        optimizer.step()

    for batch in loader:
        inner(batch)
