"""How good is the tagger? Scores are counted on the host."""

from __future__ import annotations

from collections import Counter

import torch
import torch_xla.core.xla_model as xm
from torch.utils.data import DataLoader

from .cores import fed, mean_over_cores
from .network import Encoder
from .treebank import FILLER


@torch.no_grad()
def accuracy(encoder: Encoder, head: torch.nn.Module, batches: DataLoader, core: torch.device) -> float:
    """The share of words that get the right tag, over all cores; what is mistaken most is printed."""
    encoder.eval()
    mistakes, seen = Counter(), 0
    for words, tags, _ in fed(batches, core):
        guesses = head(encoder(words)).argmax(dim=-1).cpu()
        real = words.cpu() != FILLER
        mistakes.update(confused_tags(guesses[real], tags.cpu()[real]))
        seen += int(real.sum())
    encoder.train()
    for (tag, guess), times in mistakes.most_common(3):
        xm.master_print(f"tag {tag} taken for {guess}: {times} times")
    return mean_over_cores("accuracy", 1 - mistakes.total() / max(seen, 1))


def confused_tags(guesses: torch.Tensor, tags: torch.Tensor) -> list[tuple[int, int]]:
    """The pairs (tag, guess) that differ, of tensors on the host."""
    wrong = torch.nonzero(guesses != tags).flatten()
    return [(int(tags[place]), int(guesses[place])) for place in wrong]
