"""Supervised fine-tuning on prompts and answers."""

from __future__ import annotations

import torch
from torch import nn

from .corpus import batches_on, tuning_stream
from .dist_env import average_across_ranks, rank_zero_only
from .model import token_loss
from .settings import TrainSettings


@rank_zero_only
def show_progress(turn: int, level: float) -> None:
    """Print the loss of a pass."""
    print(f"tuning pass {turn}: loss {level:.4f}")


def tune_on_pairs(settings: TrainSettings, model: nn.Module, device: torch.device) -> None:
    """Fine-tune the sharded model with a small constant rate."""
    loader = tuning_stream(settings)
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.peak_rate / 30, weight_decay=0.0)
    model.train()
    for turn in range(settings.tune_epochs):
        loader.batch_sampler.sampler.set_epoch(turn)
        latest = torch.zeros((), device=device)
        for tokens, targets in batches_on(loader, device):
            loss = token_loss(model(tokens), targets)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), settings.clip)
            optimizer.step()
            latest = loss.detach()
        show_progress(turn, average_across_ranks(latest))
