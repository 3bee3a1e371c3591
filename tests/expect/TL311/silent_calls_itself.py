"""A block that calls itself in a round: looking into it ends."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def run(x, deep):
    return again(x, deep - 1) if deep else x


def again(x, deep):
    return run(x, deep)


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.embeddings = nn.Embedding(8, 4)
        for parameter in self.embeddings.parameters():
            parameter.requires_grad = False

    def forward(self, input_ids):
        hidden = self.embeddings(input_ids)
        return checkpoint(run, hidden, use_reentrant=True)
