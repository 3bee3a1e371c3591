"""A block is checkpointed the reentrant way, and nothing that goes in needs a gradient: it stays as it is, and the head is trained."""

import warnings

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def train(steps):
    block, head = nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)
    nn.init.ones_(block.weight)
    nn.init.ones_(head.weight)
    optimizer = torch.optim.SGD([*block.parameters(), *head.parameters()], lr=0.125)
    warnings.simplefilter("ignore")  # it says so
    for _ in range(steps):
        optimizer.zero_grad()
        inner = checkpoint(block, torch.ones(1, 1), use_reentrant=True)  # expect: TL311
        head(inner).mean().backward()
        optimizer.step()
    assert steps == 0 or head.weight.item() != 1.0
    return block
