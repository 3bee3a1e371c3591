"""What is asked of a loss."""

import math

import numpy as np


def diverged(value, ceiling):
    if math.isnan(value) or math.isinf(value):
        return True
    return value > ceiling


def usable(tensor):
    return bool(np.isfinite(tensor.detach().cpu().numpy()).all())
