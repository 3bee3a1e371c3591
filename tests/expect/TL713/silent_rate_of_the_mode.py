"""The rate is 0 where the module does not train (HazyResearch/safari)."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, rate=0.0):
        super().__init__()
        self.rate = rate

    def forward(self, scores, values):
        attention = torch.softmax(scores, dim=-1)
        dropped = F.dropout(attention, self.rate if self.training else 0.0)
        return dropped @ values


class ByKeyword(nn.Module):
    def __init__(self, rate=0.0):
        super().__init__()
        self.rate = rate

    def forward(self, scores, values):
        return F.dropout(scores, p=self.rate * self.training) @ values


def train(model, optimizer, loader):
    for scores, values in loader:
        optimizer.zero_grad()
        model(scores, values).sum().backward()
        optimizer.step()
