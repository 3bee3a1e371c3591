"""Costs of a matching: kept finite, and nobody asks for their gradients."""

import torch
from torch import nn


class Matcher(nn.Module):
    @torch.no_grad()
    def forward(self, logits, boxes, labels):
        chance = logits.flatten(0, 1).sigmoid()
        for_no = 0.75 * chance**2 * -(1 - chance + 1e-8).log()
        for_yes = 0.25 * (1 - chance) ** 2 * -(chance + 1e-8).log()
        return (for_yes[:, labels] - for_no[:, labels]).argmin(1)


def cost_of(logits):
    chance = torch.sigmoid(logits)
    return -(chance + 1e-6).log()


def assigned(logits):
    with torch.no_grad():
        return cost_of(logits).argmin(1)
