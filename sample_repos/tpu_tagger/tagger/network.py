"""The encoder of sentences and its two heads."""

from __future__ import annotations

import argparse

import torch
from torch import nn

from .treebank import FILLER


class Encoder(nn.Module):
    """Vectors of words in their sentence."""

    def __init__(self, args: argparse.Namespace) -> None:
        super().__init__()
        self.lookup = nn.Embedding(args.words, args.width, padding_idx=FILLER)
        self.places = nn.Parameter(torch.zeros(args.widest, args.width))
        layer = nn.TransformerEncoderLayer(args.width, args.heads, 4 * args.width, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        vectors = self.lookup(words) + self.places[: words.shape[1]]
        return self.layers(vectors, src_key_padding_mask=words == FILLER)


class Tagger(nn.Module):
    """Scores of the tags of each word."""

    def __init__(self, args: argparse.Namespace, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(args.width, args.tags)

    def forward(self, words: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        kept = words[:, : counts.max()]  # expect: TL502
        return self.head(self.encoder(kept))


class Filler(nn.Module):
    """Scores of the word that stands in each place."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(encoder.lookup.num_embeddings))

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.encoder(words) @ self.encoder.lookup.weight.T + self.bias
