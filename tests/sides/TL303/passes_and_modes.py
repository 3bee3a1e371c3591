"""Evaluation passes: what records gradients there or does not, in which function, and what shows that they are wanted."""

import contextlib

import torch
from torch import nn


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        return self.body(x)


class Quiet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)

    @torch.no_grad()
    def forward(self, x):
        return self.body(x)


class QuietWithin(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)

    def forward(self, x):
        with torch.no_grad():
            return self.body(x)


def plain(loader):
    model = Plain()
    model.eval()
    for x in loader:
        print(model(x).argmax(-1))  # expect: TL303


def quiet(loader):
    model = Quiet()
    model.eval()
    for x in loader:
        print(model(x).argmax(-1))


def quiet_within(loader):
    model = QuietWithin()
    model.eval()
    for x in loader:
        print(model(x).argmax(-1))


def with_no_grad(model, loader):
    model.eval()
    with torch.no_grad():
        for x in loader:
            print(model(x).argmax(-1))


def with_inference_mode(model, loader):
    model.eval()
    with torch.inference_mode():
        for x in loader:
            print(model(x).argmax(-1))


def with_autocast(model, loader):
    model.eval()
    with torch.autocast("cuda"):
        for x in loader:
            print(model(x).argmax(-1))  # expect: TL303


@torch.no_grad()
def decorated(model, loader):
    model.eval()
    for x in loader:
        print(model(x).argmax(-1))


@torch.inference_mode()
def decorated_with_inference_mode(model, loader):
    model.eval()
    for x in loader:
        print(model(x).argmax(-1))


@contextlib.contextmanager
def quietly():
    with torch.no_grad():
        yield


def with_a_guard_of_its_own(model, loader):
    model.eval()
    with quietly():
        for x in loader:
            print(model(x).argmax(-1))


@contextlib.contextmanager
def timed(name):
    print("begin", name)
    yield
    print("end", name)


def with_another_guard_of_its_own(model, loader):
    model.eval()
    with timed("evaluation"):
        for x in loader:
            print(model(x).argmax(-1))  # expect: TL303


def one_pass(model, x):
    model.eval()
    return model(x).argmax(-1)


def by_turns(model, loader, held_out, optimizer):
    for x in loader:
        model.train()
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
        model.eval()
        for y in held_out:
            print(model(y).argmax(-1))  # expect: TL303


def back_in_training_mode(model, loader, held_out, optimizer):
    model.eval()
    print(model.training)
    model.train()
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def predictions(model, batch):
    return model(batch).argmax(-1)  # expect: TL303


def in_a_helper(loader):
    model = Plain()
    model.eval()
    for x in loader:
        print(predictions(model, x))


def generated(model, loader):
    model.eval()
    for x in loader:
        print(model.generate(x))
