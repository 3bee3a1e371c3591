"""Other random numbers on each rank, for the augmentations."""

import random

import numpy as np
import torch


def begin(seed, rank):
    random.seed(seed + rank)
    np.random.seed(seed + rank)
    torch.manual_seed(seed + rank)
