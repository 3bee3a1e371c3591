"""An object gathers values and meets over each of them when a `with` ends: nothing was given, or something was."""

import torch
import torch.distributed as dist


class Meter:
    def __init__(self):
        self.values = {}

    def add(self, name, value):
        self.values[name] = value

    def add_all(self, values):
        for name, value in values.items():
            self.add(name, value)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for value in self.values.values():
            dist.all_reduce(value)


def empty(model):
    if dist.get_rank() == 0:
        with Meter():
            print(model)


def given(model):
    if dist.get_rank() == 0:
        with Meter() as meter:  # expect: TL101
            meter.add("loss", model.loss)


def given_all(model):
    if dist.get_rank() == 0:
        with Meter() as meter:  # expect: TL101
            meter.add_all(model.losses)
