"""Weights that are computed of the probability, and are not 0 where it is: no entropy."""

import torch
import torch.nn.functional as F
from torch import nn


class Focal(nn.Module):
    def __init__(self, gamma, eps=1e-6):
        super().__init__()
        self.gamma, self.eps = gamma, eps
        self.nll = nn.NLLLoss(reduction="none")

    def forward(self, scores, labels):
        chance = F.softmax(scores, dim=-1) + self.eps
        cost = self.nll(torch.log(chance), labels)  # expect: TL411
        own = chance[torch.arange(len(labels)), labels]
        return ((1 - own) ** self.gamma * cost).mean()


def weighed(scores, labels):
    chance = torch.sigmoid(scores)
    return -(labels * (1 - chance) * torch.log(chance + 1e-8)).mean()  # expect: TL411


def divergence(scores, wanted):
    chance = F.softmax(scores, dim=-1)
    return (0.5 * chance * (torch.log(chance + 1e-8) - torch.log(wanted))).sum(-1).mean()
