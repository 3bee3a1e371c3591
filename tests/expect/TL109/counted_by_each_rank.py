"""Loops that count from, or up to, a number that only some ranks have: they go round more often there."""

import torch
import torch.distributed as dist


# A number that rank 0 alone took from somewhere.
def from_an_argument(start, epochs, tensor):
    epoch = 0
    if dist.get_rank() == 0:
        epoch = start
    while epoch < epochs:  # expect: TL109
        dist.all_reduce(tensor)
        epoch += 1


def from_a_file(path, epochs, tensor):
    epoch = 0
    if dist.get_rank() == 0:
        state = torch.load(path)
        epoch = state["epoch"] + 1
    while epoch < epochs:  # expect: TL109
        dist.all_reduce(tensor)
        epoch += 1


def in_the_loop(path, epochs, tensor):
    epoch = 0
    while epoch < epochs:  # expect: TL109
        if dist.get_rank() == 0 and epoch == 0:
            epoch = torch.load(path)["epoch"]
        dist.all_reduce(tensor)
        epoch += 1


def in_a_range(start, epochs, tensor):
    first = 0
    if dist.get_rank() == 0:
        first = start
    for _ in range(first, epochs):  # expect: TL109
        dist.all_reduce(tensor)


def up_to(epochs, more, tensor):
    last = epochs
    if dist.get_rank() == 0:
        last = epochs + more
    epoch = 0
    while epoch < last:  # expect: TL109
        dist.all_reduce(tensor)
        epoch += 1


def downwards(left, tensor):
    if dist.get_rank() == 0:
        left = left - 1
    while left > 0:  # expect: TL109
        dist.all_reduce(tensor)
        left -= 1


# What a function returns on one rank, and what an object keeps there.
def epoch_of(path):
    if dist.get_rank() != 0:
        return 0
    return torch.load(path)["epoch"]


def from_a_function(path, epochs, tensor):
    for _ in range(epoch_of(path), epochs):  # expect: TL109
        dist.all_reduce(tensor)


class Trainer:
    def __init__(self, epochs):
        self.epochs = epochs
        self.start = 0

    def resume(self, path):
        if dist.get_rank() == 0:
            self.start = torch.load(path)["epoch"]

    def train(self, tensor):
        for _ in range(self.start, self.epochs):  # expect: TL109
            dist.all_reduce(tensor)

    def train_on(self, tensor):
        epoch = self.start
        while epoch < self.epochs:  # expect: TL109
            dist.all_reduce(tensor)
            epoch += 1


# A part of the rank's own, gone through by hand.
def in_strides(items, tensor):
    index = dist.get_rank()
    while index < len(items):  # expect: TL109
        dist.all_reduce(tensor)
        index += dist.get_world_size()


def in_blocks(items, tensor):
    world = dist.get_world_size()
    size = (len(items) + world - 1) // world
    index = dist.get_rank() * size
    end = min(index + size, len(items))
    while index < end:  # expect: TL109
        dist.all_reduce(tensor)
        index += 1
