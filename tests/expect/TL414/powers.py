"""Powers that are roots: their slope at 0 is infinite, whatever the exponent below 1 is, and however it is written."""

import torch
from torch import nn


def by_method(points, others):
    return (points - others).pow(2).sum(dim=-1).pow(0.5).mean()  # expect: TL414


def by_function(points, others):
    squared = torch.square(points - others).sum(dim=-1)
    return torch.pow(squared, exponent=0.5).mean()  # expect: TL414


def by_operator(points, others):
    squared = ((points - others) ** 2).sum(dim=-1)  # expect: TL414
    return (squared**0.5).mean()


def cubic(points, others):
    return torch.pow((points - others).abs().sum(-1), 1 / 3).mean()  # expect: TL414


def of_the_third_part(points, others):
    return torch.pow((points - others).abs().sum(-1), 0.33).mean()  # expect: TL414


class ColourLoss(nn.Module):
    """The distance of the mean colours, which are equal in a grey picture."""

    def forward(self, picture):
        red, green, blue = torch.split(picture.mean([2, 3], keepdim=True), 1, dim=1)
        apart = torch.pow(red - green, 2) + torch.pow(red - blue, 2) + torch.pow(blue - green, 2)
        return torch.pow(apart, 0.5)  # expect: TL414


class KeptLoss(nn.Module):
    def forward(self, picture):
        red, green, blue = torch.split(picture.mean([2, 3], keepdim=True), 1, dim=1)
        apart = torch.pow(red - green, 2) + torch.pow(red - blue, 2) + torch.pow(blue - green, 2)
        return torch.pow(apart + 1e-8, 0.5)


def kept(points, others):
    squared = ((points - others) ** 2).sum(dim=-1).clamp_min(1e-12)
    return (squared**0.5).mean()


def smooth_powers(points, others):
    squared = ((points - others) ** 2).sum(dim=-1)
    return (squared**2).mean() + (squared**1.5).mean() + squared.pow(1.0).mean()


def of_anything(points, exponent):
    return points.sum(-1).pow(0.5), (points.mean() ** 0.5), points.abs().sum() ** exponent


def read(points, others):
    return float(((points - others) ** 2).sum() ** 0.5)


@torch.no_grad()
def measured(points, others):
    return (((points - others) ** 2).sum() ** 0.5).mean()
