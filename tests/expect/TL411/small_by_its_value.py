"""A small number is one wherever it is written, and whatever it is called."""

import torch
import torch.nn as nn


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.guard = 1e-10

    def forward(self, logits, labels):
        chances = torch.softmax(logits, dim=-1)
        return nn.functional.nll_loss(torch.log(chances + self.guard), labels)  # expect: TL411


def cost(logits, labels, above=1e-8):
    chances = torch.softmax(logits, dim=-1)
    return nn.functional.nll_loss((chances + above).log(), labels)  # expect: TL411


def shifted(logits, labels, prior=0.5):
    chances = torch.softmax(logits, dim=-1)
    return nn.functional.nll_loss((chances + prior).log(), labels)
