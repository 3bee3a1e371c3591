"""Distances, spectra and mixtures in what is trained."""

import torch
import torch.nn.functional as F
from torch import nn


class Spectral(nn.Module):
    def forward(self, predicted, wanted):
        real, imaginary = predicted[..., 0], predicted[..., 1]
        magnitude = torch.sqrt(real**2 + imaginary**2)  # expect: TL414
        return F.l1_loss(magnitude, wanted) + F.l1_loss(torch.log(magnitude.abs()), wanted.log())  # expect: TL414


def root_mean_square(model, x, y):
    loss = torch.sqrt(torch.mean((model(x) - y) ** 2))  # expect: TL414
    loss.backward()


class Margin(nn.Module):
    def __init__(self, cos_m, sin_m):
        super().__init__()
        self.cos_m, self.sin_m = cos_m, sin_m

    def forward(self, outputs):
        cosine = outputs.float()
        sine = torch.sqrt(1.0 - torch.pow(cosine, 2))  # expect: TL414
        return cosine * self.cos_m - sine * self.sin_m


def corrected(logits, temperature):
    hard = F.gumbel_softmax(logits, tau=temperature, dim=1, hard=True).detach()
    middle = (hard + (logits / temperature).softmax(dim=1)) / 2
    return ((middle.log() - logits).detach() + logits).softmax(dim=1)  # expect: TL414
