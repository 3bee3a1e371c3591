"""The type of a sum is chosen by the settings."""

import torch


class Settings:
    def __init__(self, dtype, steps):
        self.dtype = dtype
        self.steps = steps


def half():
    return torch.float16


def mean_of(losses, device):
    settings = Settings(torch.bfloat16, 10)
    total = torch.zeros((), dtype=settings.dtype, device=device)
    for loss in losses:
        total += loss  # expect: TL415
    return total / len(losses)


def mean_in_half(losses, device):
    total = torch.zeros((), dtype=half(), device=device)
    for loss in losses:
        total += loss  # expect: TL415
    return total / len(losses)


def mean_of_all(losses, device):
    settings = Settings(torch.float32, 10)
    total = torch.zeros((), dtype=settings.dtype, device=device)
    for loss in losses:
        total += loss
    return total / len(losses)
