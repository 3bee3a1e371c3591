"""Tests of what is computed with the quotient say nothing of what it was divided by."""

import torch
import torch.nn.functional as F
from torch import nn


class Pairs(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.images, self.texts = nn.Linear(width, 64), nn.Linear(width, 64)
        self.margin = 0.5

    def forward(self, images, texts, labels=None):
        images, texts = self.images(images), self.texts(texts)
        images = images / images.norm(dim=-1, keepdim=True)  # expect-likely: TL413
        texts = texts / texts.norm(dim=-1, keepdim=True)  # expect-likely: TL413
        near = images @ texts.t() if labels is None else torch.matmul(images, texts.t())
        loss = None if labels is None else F.cross_entropy(near, labels)
        return near if loss is None else loss

    def angles(self, images, labels):
        unit = images / torch.norm(images, 2, 1, keepdim=True)  # expect-likely: TL413
        near = torch.mm(unit, self.texts.weight)
        wide = torch.zeros_like(near)
        for row in range(len(labels)):
            if near[row, labels[row]] > self.margin:
                wide[row, labels[row]] = 1
        return near + wide


def direction(x):
    x = x / x.norm()
    total = x.sum().item()
    return x if total - total == 0 else None


def replaced(x):
    x = x / x.norm(dim=-1, keepdim=True)
    x[torch.isnan(x)] = 0
    return x
