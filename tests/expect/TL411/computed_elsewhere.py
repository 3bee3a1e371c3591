"""Probabilities of a model, and of a property, whose logarithm is taken where they are used."""

import torch
import torch.nn.functional as F
from torch import nn


class Policy(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(states, 64), nn.ReLU(), nn.Linear(64, actions), nn.Softmax(dim=-1))

    def forward(self, state):
        return self.layers(state)


def reinforce(loader, gain):
    policy = Policy(4, 2)
    for state, action in loader:
        chance = policy(state)
        (-gain * torch.log(chance[0, action])).backward()  # expect-likely: TL411


class Mixed(nn.Module):
    def __init__(self, choices):
        super().__init__()
        self.weights = nn.Parameter(torch.zeros(choices))

    def chances(self):
        return F.softmax(self.weights, dim=0)

    def choose(self):
        chances = self.chances()
        chosen = torch.multinomial(chances, 1)[0].item()
        self.log_chance = torch.log(chances[chosen])  # expect-likely: TL411
        return chosen

    def either(self, images, relative):
        chances = self.chances() if relative else self.weights.abs() + 1
        return torch.log(chances).mean() + images.mean()  # expect-likely: TL411

    def entropy(self):
        chances = self.chances()
        return -(chances * torch.log(chances + 1e-8)).sum()
