"""Perplexity on the held-out text."""

from __future__ import annotations

import math

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader

from .corpus import batches_on
from .model import token_loss


@torch.no_grad()
def perplexity(model: nn.Module, loader: DataLoader, device: torch.device) -> float:
    """Perplexity over all processes' shares; all processes take part and get the same number."""
    model.eval()
    totals = torch.zeros(2, device=device)
    for tokens, targets in batches_on(loader, device):
        loss = token_loss(model(tokens), targets)
        totals += torch.stack([loss * targets.numel(), torch.full_like(loss, targets.numel())])
    dist.all_reduce(totals)
    model.train()
    return math.exp(min(20.0, (totals[0] / totals[1]).item()))
