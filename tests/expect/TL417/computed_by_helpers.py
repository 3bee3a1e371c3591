"""The 1 is added by a function beside: the logarithm cannot be replaced alone, and is found all the same."""

import torch


def shifted(frames):
    return 1 + frames.float()


def wanted(frames):
    return torch.log(shifted(frames))  # expect: TL417


def wanted_exactly(frames):
    return torch.log1p(frames.float())
