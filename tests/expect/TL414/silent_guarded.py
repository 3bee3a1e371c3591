"""Kept from 0, or not known to reach it."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

AMIN = 1e-10


class Filters(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.eps = 1e-12

    def forward(self, stft):
        power = stft.pow(2).sum(-1)
        decibels = 10.0 * torch.log10(torch.clamp(power, min=AMIN))
        return decibels + torch.log(power + self.eps) + torch.sqrt(power.clamp_min(AMIN)) + torch.log(self.scale)


def cosine_margin(cosine):
    cosine = torch.clamp(cosine.float(), -1 + 1e-7, 1 - 1e-7)
    return torch.sqrt(1.0 - torch.pow(cosine, 2))


def huber(predicted, wanted, huber_c):
    return 2 * huber_c * (torch.sqrt((predicted - wanted) ** 2 + huber_c**2) - huber_c)


def pseudo_huber_of_each_sample(predicted, wanted, huber_c):
    huber_c = huber_c.view(-1, *([1] * (predicted.ndim - 1)))
    return 2 * huber_c * (torch.sqrt((predicted - wanted) ** 2 + huber_c**2) - huber_c)


def noise(alphas, step):
    return alphas[step] ** 0.5, torch.sqrt(alphas), torch.sqrt(1 - alphas)


def metric(predicted, wanted):
    with torch.no_grad():
        return ((predicted - wanted) ** 2).mean().sqrt()


def in_numpy(x):
    return np.sqrt((x**2).sum()), np.log(np.abs(x))


def entropy(p, dist):
    return dist.entropy() - torch.log(p).mean() + F.softplus(p).log()
