"""The reduction is said."""

import functools

import torch.nn as nn
import torch.nn.functional as F


class Said(nn.Module):
    def __init__(self, reduction):
        super().__init__()
        self.first = nn.KLDivLoss(reduction="batchmean")
        self.second = nn.KLDivLoss(False)
        self.third = nn.KLDivLoss(reduction=reduction)

    def forward(self, p, q, *rest):
        return self.first(p, q) + self.second(p, q) + F.kl_div(p, q, reduction="sum") + F.kl_div(p, q, *rest)


def without(p, q, kl_div=None):
    return kl_div(p, q) if kl_div is not None else F.kl_div(p, q, None, None, "batchmean")


PARTLY = functools.partial(F.kl_div, reduction="batchmean")
