"""Sentences with a tag for each word, and the batches made of them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import BatchSampler, DataLoader, Dataset

from .cores import share_of_core

FILLER = 0
BUCKETS = (32, 64, 128)


class Treebank(Dataset):
    """Sentences as tensors of shape (words, 2): number of the word, number of its tag."""

    def __init__(self, path: Path, widest: int) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        self.sentences = [json.loads(line) for line in lines]
        self.limit = widest

    def __len__(self) -> int:
        return len(self.sentences)

    def __getitem__(self, position: int) -> torch.Tensor:
        sentence = self.sentences[position]
        pairs = list(zip(sentence["words"], sentence["tags"]))
        return torch.tensor(pairs[: self.limit], dtype=torch.long)


class AsWideAsTheLongest:
    """Batches of sentences that are padded to the longest one among them."""

    def __call__(self, sentences: Sequence[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        counts = torch.tensor([len(sentence) for sentence in sentences])
        block = pad_sequence(list(sentences), batch_first=True, padding_value=FILLER)  # expect: TL503
        return block[..., 0], block[..., 1], counts


class AsWideAsABucket:
    """Batches of sentences that are padded to one of three widths, so that three programs are compiled."""

    def __call__(self, sentences: Sequence[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        counts = torch.tensor([len(sentence) for sentence in sentences])
        width = next(bucket for bucket in BUCKETS if bucket >= max(map(len, sentences)))
        block = torch.stack([F.pad(sentence, (0, 0, 0, width - len(sentence)), value=FILLER) for sentence in sentences])
        return block[..., 0], block[..., 1], counts


def training_batches(args: argparse.Namespace) -> DataLoader:
    """Shuffled batches of this core's share of the training sentences."""
    sentences = Treebank(args.treebank / "train.jsonl", args.widest)
    return DataLoader(  # expect: TL501
        sentences,
        batch_size=args.batch_size,
        sampler=share_of_core(sentences, shuffled=True),
        collate_fn=AsWideAsTheLongest(),
        num_workers=args.workers,
    )


def polishing_batches(args: argparse.Namespace) -> DataLoader:
    """As above, in batches of equal size and one of three widths."""
    sentences = Treebank(args.treebank / "train.jsonl", args.widest)
    batches = BatchSampler(share_of_core(sentences, shuffled=True), args.batch_size, drop_last=True)
    return DataLoader(
        sentences, batch_sampler=batches, collate_fn=AsWideAsABucket(), num_workers=args.workers
    )


def heldout_batches(args: argparse.Namespace) -> DataLoader:
    """All held-out sentences of this core's share; the last batch is what is left."""
    sentences = Treebank(args.treebank / "heldout.jsonl", args.widest)
    return DataLoader(
        sentences,
        batch_size=args.batch_size,
        sampler=share_of_core(sentences, shuffled=False),
        collate_fn=AsWideAsABucket(),
        num_workers=args.workers,
    )
