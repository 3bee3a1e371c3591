"""Outside of the context, with it turned off, on other devices, with the loss that is allowed."""

import contextlib

import torch
import torch.nn.functional as F
from torch import nn


def behind_it(net, x, y):
    bce = nn.BCELoss()
    with torch.cuda.amp.autocast():
        out = net(x)
    return bce(out.float(), y)


def maybe_none(net, x, y, ipex):
    context = torch.autocast("xpu") if ipex else contextlib.nullcontext()
    with context:
        return F.binary_cross_entropy(net(x), y)


def never_on(net, x, y):
    with torch.autocast(device_type="cuda", enabled=False):
        return F.binary_cross_entropy(net(x), y)


def named(net, x, y, device):
    with torch.autocast(device_type=device, dtype=torch.float16):
        return F.binary_cross_entropy(net(x), y)


class Objectness(nn.Module):
    """Its own function: the name is all that it shares."""

    def binary_cross_entropy(self, scores, targets):
        return -(targets * scores.clamp_min(1e-6).log()).mean()

    def forward(self, scores, targets):
        with torch.autocast("cuda"):
            return self.binary_cross_entropy(scores, targets)


def allowed(net, x, y):
    criterion = nn.BCEWithLogitsLoss()
    with torch.autocast("cuda"):
        return criterion(net(x), y) + F.mse_loss(net(x).sigmoid(), y)


def nobody_knows(net, x, y, criterion):
    with torch.autocast("cuda"):
        return criterion(net(x), y)
