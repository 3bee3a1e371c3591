"""A setting that a helper says."""

import torch
import torch._dynamo
from torch import nn


def lenient():
    return True


def prepare(width):
    torch._dynamo.config.suppress_errors = lenient()  # expect: TL561
    return torch.compile(nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Linear(width, 1)))
