"""Sums that are wide enough, or of which nobody can say."""

import torch


def wide_total(samples):
    total = torch.zeros((), dtype=torch.float32)
    for sample in samples:
        total += sample.half()
    return total


def told(samples, dtype):
    total = torch.zeros((), dtype=dtype)
    for sample in samples:
        total += sample
    return total


def chosen(samples, half):
    total = torch.zeros((), dtype=torch.float16 if half else torch.float32)
    for sample in samples:
        total += sample
    return total


def converted_back(samples):
    total = torch.zeros((), dtype=torch.float16).float()
    for sample in samples:
        total += sample
    return total


def counted_in_python(samples):
    total = 0.0
    for sample in samples:
        total += sample.half().mean().item()
    return total


def unknown_number(samples, scale):
    total = 0.0
    for sample in samples:
        total += sample.half().mean() * scale
    return total


class Experts(torch.nn.Module):
    def forward(self, x, experts):
        out = torch.zeros(8, dtype=torch.bfloat16)
        for number, expert in enumerate(experts):
            out += expert(x)
        return out


class Either:
    def __init__(self, half):
        self.total = torch.zeros(1, dtype=torch.float16) if half else torch.zeros(1)

    def add(self, x):
        self.total += x


def use(samples):
    either = Either(half=False)
    for sample in samples:
        either.add(sample)


def set_not_added(samples, width):
    out = torch.zeros(width, dtype=torch.float16)
    for number, sample in enumerate(samples):
        out[number] = sample
    return out


def three_parts(a, b, c):
    total = torch.zeros((), dtype=torch.float16)
    for part in (a, b, c):
        total += part
    return total


def new_each_time(samples):
    for sample in samples:
        total = torch.zeros((), dtype=torch.float16)
        total += sample.sum()
        print(total)
