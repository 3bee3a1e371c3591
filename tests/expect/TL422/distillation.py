"""Divergences of distillation and of variational models."""

import torch.nn as nn
import torch.nn.functional as F


class Distillation(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature
        self.hard = nn.CrossEntropyLoss()
        self.soft = nn.KLDivLoss()  # expect: TL422

    def forward(self, student, teacher, labels):
        wanted = F.softmax(teacher / self.temperature, dim=1)
        return self.hard(student, labels) + self.soft(F.log_softmax(student / self.temperature, dim=1), wanted)


def symmetric(p, q):
    return nn.functional.kl_div(p.log(), q) + nn.functional.kl_div(input=q.log(), target=p)  # expect: TL422, TL422
