"""The block of `unreached_block.py` in a checkpoint that is not reentrant."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def train(steps):
    block, head = nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)
    nn.init.ones_(block.weight)
    nn.init.ones_(head.weight)
    optimizer = torch.optim.SGD([*block.parameters(), *head.parameters()], lr=0.125)
    for _ in range(steps):
        optimizer.zero_grad()
        inner = checkpoint(block, torch.ones(1, 1), use_reentrant=False)
        head(inner).mean().backward()
        optimizer.step()
    return block
