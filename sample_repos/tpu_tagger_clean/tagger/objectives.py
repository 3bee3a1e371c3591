"""What the tagger is trained to make small."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from .treebank import FILLER


def tag_losses(scores: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
    """The cross entropy of each place, in one row."""
    return F.cross_entropy(scores.flatten(0, 1), tags.flatten(), reduction="none")


def loss_of_real_words(scores: torch.Tensor, words: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
    """The mean loss of the places that hold a word."""
    real = (words.flatten() != FILLER).to(scores.dtype)
    return (tag_losses(scores, tags) * real).sum() / real.sum()


def loss_of_hard_words(scores: torch.Tensor, words: torch.Tensor, tags: torch.Tensor, floor: float) -> torch.Tensor:
    """The mean loss of the words that the tagger does badly."""
    losses = torch.where(words.flatten() == FILLER, 0.0, tag_losses(scores, tags))
    hard = losses > floor
    return torch.where(hard, losses, 0.0).sum() / hard.sum().clamp(min=1)


def loss_of_hidden_words(scores: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
    """The mean loss of the places whose word was hidden; all others hold a number that is ignored."""
    return F.cross_entropy(scores.transpose(1, 2), hidden, ignore_index=-100)


def balance_of_tags(tags: torch.Tensor, classes: int) -> torch.Tensor:
    """A weight for each tag, so that rare ones count as much as frequent ones."""
    counts = torch.zeros(classes, device=tags.device)
    counts = counts.scatter_add(0, tags.flatten(), torch.ones_like(tags.flatten(), dtype=counts.dtype))
    return torch.where(counts > 0, tags.numel() / (classes * counts.clamp(min=1)), 1.0)
