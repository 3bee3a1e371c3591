"""Models whose own pass computes gradients: without a graph it would fail."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Adapting(nn.Module):
    """Learns from a few examples before it answers."""

    def __init__(self, encoder, head, rate):
        super().__init__()
        self.encoder, self.head, self.rate = encoder, head, rate

    def forward(self, shown, labels, asked):
        return self._after_a_step(self.encoder(shown), labels, self.encoder(asked))

    def _after_a_step(self, shown, labels, asked):
        loss = F.cross_entropy(F.linear(shown, self.head), labels)
        (slope,) = torch.autograd.grad(loss, (self.head,))
        return F.linear(asked, self.head - self.rate * slope)


class Potential(nn.Module):
    def forward(self, positions):
        energy = self.energy(positions)
        return energy, forces_of(energy, positions)


def forces_of(energy, positions):
    return -torch.autograd.grad(energy.sum(), positions)[0]


class Runner:
    def __init__(self, encoder, head):
        self.model = Adapting(encoder, head, 0.01)

    def validate(self, episodes):
        self.model.eval()
        right = 0
        for shown, labels, asked, answers in episodes:
            right += (self.model(shown, labels, asked).argmax(1) == answers).sum().item()
        return right


def validated_by_a_model_out_of_sight(model, loader):
    model.eval()
    error = 0.0
    for positions, forces in loader:
        error += F.l1_loss(model(positions)[1], forces).item()
    return error


def run(encoder, head, episodes, model, loader):
    print(Runner(encoder, head).validate(episodes), validated_by_a_model_out_of_sight(model, loader))
