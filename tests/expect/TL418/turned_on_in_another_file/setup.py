"""What every run begins with."""

import random

import numpy as np
import torch


def prepare(seed, deterministic):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = deterministic
    torch.autograd.set_detect_anomaly(True)  # expect: TL418
