"""What the model of a process computes is its own, also where nothing wraps it: the collectives tell that there are others."""

import math

import torch
import torch.distributed as dist
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, inputs):
        return self.layer(inputs)


def left_early(inputs, rounds):
    model = Net()
    for _ in range(rounds):
        loss = model(inputs).mean()
        if torch.isnan(loss):
            break
        dist.all_reduce(loss)  # expect: TL103


def skipped(inputs):
    layer = torch.nn.Linear(4, 1)
    loss = layer(inputs).sum()
    if not math.isfinite(loss.item()):
        return
    dist.barrier()  # expect: TL103


def step(model, inputs):
    loss = model(inputs)
    if torch.isnan(loss).any():
        return
    dist.barrier()  # expect: TL103


def handed_on(inputs):
    model = Net()
    while True:
        step(model, inputs)


def in_a_flag(inputs):
    bad = torch.zeros(1)
    if torch.isnan(Net()(inputs)).any():
        bad.fill_(1)
    if bad.item() > 0:
        dist.barrier()  # expect: TL103
