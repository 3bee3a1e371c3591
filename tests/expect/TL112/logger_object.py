"""An object whose methods keep all ranks but one out is on every rank: what its constructor opens is opened by all."""

import functools

import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter


def only_first(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)
        return None

    return inner


class Events:
    def __init__(self, folder):
        self.folder = folder
        self.writer = SummaryWriter(folder)  # expect: TL112

    @only_first
    def scalar(self, name, value, step):
        self.writer.add_scalar(name, value, step)


class FirstEvents:
    def __init__(self, folder):
        self.writer = SummaryWriter(folder) if dist.get_rank() == 0 else None

    @only_first
    def scalar(self, name, value, step):
        self.writer.add_scalar(name, value, step)
