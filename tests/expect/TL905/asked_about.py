"""A name that is gone fails wherever it stands; where that is expected, something else is done."""

import torch


def opened(root):
    if isinstance(root, torch._six.string_classes):  # expect: TL905
        return open(root)
    return root


def solver():
    try:
        return torch.solve
    except AttributeError:
        return lambda values, matrix: (torch.linalg.solve(matrix, values), None)
