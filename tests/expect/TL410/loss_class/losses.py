"""Losses of a project."""

import torch.nn as nn
import torch.nn.functional as F


class Smoothed(nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, prediction, target):
        return F.cross_entropy(prediction, target, label_smoothing=self.smoothing)


class Weighted(nn.CrossEntropyLoss):
    """It only fixes an argument of its parent."""

    def __init__(self, weight):
        super().__init__(weight=weight, reduction="sum")
