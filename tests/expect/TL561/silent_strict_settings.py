"""A setting that is off, whoever says so."""

import torch
import torch._dynamo
from torch import nn

COMPILER = {"suppress_errors": False}


def prepare(width):
    torch._dynamo.config.suppress_errors = COMPILER["suppress_errors"]
    return torch.compile(nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1)))
