"""Losses of preferences, of GANs and of distillation, with logarithms in two steps."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import sigmoid


class PairWise(nn.Module):
    def forward(self, chosen, rejected):
        probabilities = sigmoid(chosen - rejected)
        log_probabilities = torch.log(probabilities)  # expect: TL411
        return -log_probabilities.mean()


def per_sequence(chosen_rewards, rejected_rewards, starts, ends):
    loss = 0
    for chosen, rejected, start, end in zip(chosen_rewards, rejected_rewards, starts, ends):
        c, r = chosen[start:end], rejected[start:end]
        loss += -torch.log(torch.sigmoid(c - r)).mean()  # expect: TL411
    return loss / len(starts)


def discriminate(real, fake):
    real, fake = torch.sigmoid(real), torch.sigmoid(fake)
    return -(torch.log(real).mean() + torch.log(1 - fake).mean())  # expect: TL411, TL411


def rebound(x):
    """What the softmax was of has lost its name."""
    p = torch.softmax(x, dim=1)
    x = x / 2
    return torch.log(p) + x  # expect: TL411


class Distill(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature
        self.softmax = nn.Softmax(dim=1)

    def forward(self, student, teacher):
        soft = self.softmax(student / self.temperature)
        target = self.softmax(teacher / self.temperature)
        return F.kl_div(soft.log(), target.detach(), reduction="batchmean")  # expect: TL411


def reconstructed(logits, ids, eps=1e-10):
    posterior = F.softmax(logits, dim=-1)
    log_posterior = torch.log(posterior + eps)  # expect: TL411
    uniform = torch.log(torch.tensor([1.0 / logits.shape[-1]]))
    return F.kl_div(uniform, log_posterior, None, None, "batchmean", log_target=True)


def chosen_actions(scores, actions):
    probs = torch.nn.functional.softmax(scores, dim=1)
    return -torch.log(probs[torch.arange(len(actions)), actions]).sum()  # expect: TL411


def true_entropy(logits):
    """0 times minus infinity is not a number."""
    p = logits.softmax(dim=-1)
    return -(p * p.log()).sum(-1)  # expect: TL411


def scaled_cosines(anchors, others, temperature):
    """What is divided by a temperature lies anywhere."""
    scores = torch.nn.functional.cosine_similarity(anchors, others) / temperature
    return -torch.log(torch.sigmoid(scores)).mean()  # expect: TL411
