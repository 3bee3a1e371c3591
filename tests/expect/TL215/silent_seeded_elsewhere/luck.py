"""The same random numbers on all ranks."""

import random

import torch


def begin(seed):
    random.seed(seed)
    torch.manual_seed(seed)
