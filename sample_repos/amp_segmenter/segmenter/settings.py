"""Command line of the segmenter."""

from __future__ import annotations

import argparse
from pathlib import Path


def read_settings() -> argparse.Namespace:
    """Read the options of ``python -m segmenter.train``."""
    parser = argparse.ArgumentParser(description="Train a network that outlines roofs in aerial photographs.")
    parser.add_argument("--tiles", type=Path, required=True, help="folder of photos.npy and outlines.npy")
    parser.add_argument("--output", type=Path, default=Path("runs/roofs"))
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--warm-rounds", type=int, default=5, help="rounds of painting in what was cut out, before")
    parser.add_argument("--refine-rounds", type=int, default=5, help="rounds on borders only, after")
    parser.add_argument("--distill-rounds", type=int, default=10, help="rounds in which a small network learns from the large")
    parser.add_argument("--adapt-frames", type=int, default=0, help="frames of flights that a memory is trained on")
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--student-channels", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--accumulate", type=int, default=2)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--workers", type=int, default=4)
    return parser.parse_args()
