"""Totals of 16 bits: in dicts, behind helpers, in attributes, of several kinds of loops."""

import torch
from torch import bfloat16


def by_name(batches, keys, device):
    totals = {"loss": torch.zeros(1, dtype=torch.half, device=device), "count": torch.zeros(1, dtype=torch.half, device=device)}
    for batch in batches:
        totals["loss"] += batch["loss"]  # expect: TL415
        totals["count"] += len(batch["loss"])  # expect: TL415
    return totals


def empty(shape):
    return torch.zeros(shape, dtype=bfloat16)


def mean_image(images, shape):
    mean = torch.zeros(shape).to(torch.float16)
    for image in images:
        mean += image / len(images)  # expect: TL415
    return mean


def until(stream):
    seen = torch.zeros(1, dtype=bfloat16).cuda()
    while stream.ready():
        seen += stream.pop()  # expect: TL415
    return seen


class Average:
    def __init__(self, device):
        self.total = torch.tensor(0.0, device=device, dtype=torch.bfloat16)
        self.number = 0

    def reset(self):
        self.total = torch.tensor(0.0, dtype=torch.bfloat16)

    def add(self, value):
        self.total += value  # expect: TL415
        self.number += 1


def run(loader, model):
    average = Average("cuda")
    for batch in loader:
        average.add(model(batch))
    return average


def both_narrow(samples):
    total = torch.zeros((), dtype=torch.float16)
    for sample in samples:
        total = total + sample.half().abs().mean()  # expect: TL415
    return total


def out_of(samples, width):
    out = torch.zeros(width, dtype=torch.float16)
    like = torch.zeros_like(out)
    for number, sample in enumerate(samples):
        out[number % width] += sample  # expect: TL415
        like += sample  # expect: TL415
    return out, like
