"""Roots of what a loss of the library measures: it is 0 where prediction and target agree."""

import math

import torch
import torch.nn.functional as F
from torch import nn


def rooted(prediction, target):
    return torch.sqrt(F.mse_loss(prediction, target))  # expect: TL414


def of_each(prediction, target):
    error = F.mse_loss(prediction, target, reduction="none")
    return error.mean(tuple(range(1, error.dim()))).sqrt().mean()  # expect: TL414


class RootedLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.error = nn.MSELoss()

    def forward(self, prediction, target):
        return torch.sqrt(self.error(prediction, target))  # expect: TL414


class KeptLoss(nn.Module):
    def __init__(self, eps=1e-6):
        super().__init__()
        self.error = nn.MSELoss()
        self.eps = eps

    def forward(self, prediction, target):
        return torch.sqrt(self.error(prediction, target) + self.eps)


def in_logarithms(prediction, target):
    return F.smooth_l1_loss(prediction, target).log()  # expect: TL414


def kept(prediction, target):
    return F.mse_loss(prediction, target).clamp(min=1e-8).sqrt(), F.huber_loss(prediction, target).add(1e-6).log()


def logged(model, loader, optimizer, writer):
    for step, (x, y) in enumerate(loader):
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        writer.add_scalar("rmse", torch.sqrt(loss).item(), step)
        print(f"{loss.sqrt():.3f}", float(torch.sqrt(loss)), math.sqrt(loss.item()))
        print(torch.sqrt(loss.detach()), torch.sqrt(loss.data).mean(), loss.sqrt().mean().item())


def logged_and_used(model, loader, optimizer):
    for x, y in loader:
        loss = F.mse_loss(model(x), y).sqrt()  # expect: TL414
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())
