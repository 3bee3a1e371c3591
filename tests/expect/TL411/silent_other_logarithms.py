"""Logarithms of other things, guarded entropies, loggers."""

import logging
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

log = logging.getLogger(__name__)


def mixed_likelihood(logits, weights):
    mixed = (F.softmax(logits, dim=-1) * weights).sum(dim=1)
    return torch.log(mixed + 1e-9)


class Pointer(nn.Module):
    def forward(self, vocabulary, attention, gate):
        generate = torch.sigmoid(gate)
        total = generate * torch.softmax(vocabulary, -1) + (1 - generate) * attention
        return total.clamp(1e-10, 1.0).log()


def usage(assigned):
    average = torch.softmax(assigned, dim=-1).mean(dim=0)
    return torch.exp(-torch.sum(average * torch.log(average + 1e-7)))


def guarded_entropy(policy_logits):
    probs = F.softmax(policy_logits, dim=-1)
    log_probs = (probs + 1e-8).log()
    return -(probs * log_probs).sum(-1)


def entropy_of_a_mask(mask, eps=1e-15):
    m = mask.sigmoid()
    return (-m * torch.log(m + eps) - (1 - m) * torch.log(1 - m + eps)).mean()


def spectrum(signal):
    return torch.log(torch.abs(torch.fft.rfft(signal)) + 1e-6)


def in_numpy(logits):
    p = np.exp(logits) / np.exp(logits).sum()
    return np.log(p)


def schedule(step):
    return math.log(step + 1)


def told(model, x):
    probability = torch.sigmoid(model(x)).mean().item()
    log.info("mean %.3f, logarithm %.3f", probability, math.log(probability + 1e-8))


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Sequential(nn.Linear(4, 2), nn.Softmax(dim=-1))

    def forward(self, x):
        return self.out(x)


def outside(x, y):
    return -torch.log(Head()(x)).gather(1, y)


def scaled(logits):
    return torch.log(2 * torch.sigmoid(logits) + 1)


def of_cosines(anchors, others, strangers):
    """A cosine lies between -1 and 1: its sigmoid is never 0."""
    near = torch.log(torch.sigmoid(F.cosine_similarity(anchors, others)))
    far = F.cosine_similarity(anchors, strangers)
    far = torch.log(torch.sigmoid(-far))
    return -(near + far).mean(), -torch.sigmoid(torch.tanh(anchors)).log().mean()
