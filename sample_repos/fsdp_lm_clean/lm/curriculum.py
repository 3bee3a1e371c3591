"""Some epochs over short contexts, before the long ones."""

from __future__ import annotations

import torch
from torch import nn

from .corpus import batches_on, training_stream
from .model import token_loss
from .settings import TrainSettings


def train_on_short_contexts(settings: TrainSettings, model: nn.Module, device: torch.device) -> None:
    """Train on blocks of a quarter of the context with a constant rate."""
    loader, _ = training_stream(settings, settings.context // 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.peak_rate / 10)
    model.train()
    for lap in range(settings.short_epochs):
        if hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(lap)
        for tokens, targets in batches_on(loader, device):
            loss = token_loss(model(tokens), targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
            optimizer.step()
