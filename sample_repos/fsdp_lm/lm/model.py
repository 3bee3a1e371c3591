"""A decoder-only transformer."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F

from .settings import TrainSettings


class SelfAttention(nn.Module):
    """Causal attention over the context."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.head_count = heads
        self.project_in = nn.Linear(width, 3 * width, bias=False)
        self.project_out = nn.Linear(width, width, bias=False)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        batch, length, width = hidden.shape
        shape = (batch, length, self.head_count, width // self.head_count)
        query, key, value = (part.view(shape).transpose(1, 2) for part in self.project_in(hidden).chunk(3, dim=-1))
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        return self.project_out(mixed.transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    """Attention and a feed-forward layer, each behind a norm."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(width)
        self.attention = SelfAttention(width, heads)
        self.feed_norm = nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        hidden = hidden + self.attention(self.attention_norm(hidden))
        return hidden + self.feed(self.feed_norm(hidden))


class LanguageModel(nn.Module):
    """Embeddings, blocks, and a head that shares nothing."""

    def __init__(self, settings: TrainSettings) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(settings.vocabulary, settings.width)
        self.embed_places = nn.Embedding(settings.context, settings.width)
        self.blocks = nn.ModuleList(Block(settings.width, heads=settings.heads) for _ in range(settings.layers))
        self.last_norm = nn.LayerNorm(settings.width)
        self.head = nn.Linear(settings.width, settings.vocabulary, bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        places = torch.arange(tokens.shape[1], device=tokens.device)
        hidden = self.embed_tokens(tokens) + self.embed_places(places)
        for block in self.blocks:
            hidden = block(hidden)
        return self.head(self.last_norm(hidden))


def token_loss(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Mean cross entropy per token; targets of -100 do not count."""
    return F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), ignore_index=-100)
