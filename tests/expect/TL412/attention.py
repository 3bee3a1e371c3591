"""Attention and policies that normalise by themselves."""

import torch
from torch import nn


class Additive(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query, self.key, self.score = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, 1)

    def forward(self, words, context):
        scores = self.score(torch.tanh(self.query(words) + self.key(context).unsqueeze(1))).squeeze(-1)
        a = torch.exp(scores)
        a = a / torch.sum(a, dim=1, keepdim=True)  # expect: TL412
        return (words * a.unsqueeze(-1)).sum(1)


def policy(model, state):
    preferences = model(state) / 0.7
    chances = preferences.exp() / preferences.exp().sum(1)[:, None]  # expect: TL412
    return torch.multinomial(chances, 1)
