"""Command line of the tagger."""

from __future__ import annotations

import argparse
from pathlib import Path


def read_settings() -> argparse.Namespace:
    """Read the options of ``python -m tagger.train``."""
    parser = argparse.ArgumentParser(description="Train a part-of-speech tagger on all cores of a TPU host.")
    parser.add_argument("--treebank", type=Path, required=True, help="folder of train.jsonl and heldout.jsonl")
    parser.add_argument("--prose", type=Path, default=None, help="text file that the encoder is adapted to first")
    parser.add_argument("--vocabulary", default="", help="folder of the tokenizer that cut the treebank's words")
    parser.add_argument("--output", type=Path, default=Path("runs/tagger"))
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--adapt-epochs", type=int, default=2)
    parser.add_argument("--polish-epochs", type=int, default=1, help="epochs on hard words only, at the end")
    parser.add_argument("--batch-size", type=int, default=64, help="sentences per core")
    parser.add_argument("--widest", type=int, default=128, help="words of a sentence that are kept, 128 at most")
    parser.add_argument("--tags", type=int, default=18)
    parser.add_argument("--words", type=int, default=32_000)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--learning-rate", type=float, default=3e-4)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--hard-above", type=float, default=0.7, help="loss from which a word counts as hard")
    parser.add_argument("--log-every", type=int, default=50)
    parser.add_argument("--workers", type=int, default=8)
    return parser.parse_args()
