"""Command line of the classifier."""

from __future__ import annotations

import argparse
from pathlib import Path


def read_options() -> argparse.Namespace:
    """Read the options of ``torchrun train.py``."""
    parser = argparse.ArgumentParser(description="Train an image classifier on one or more nodes.")
    parser.add_argument("--data", type=Path, required=True, help="folder of <split>_images.npy and <split>_labels.npy")
    parser.add_argument("--output", type=Path, default=Path("runs/classifier"))
    parser.add_argument("--scratch", type=Path, default=None, help="node-local disk that the arrays are copied to")
    parser.add_argument("--pretrained", default="", help="URL of weights to start from")
    parser.add_argument("--resume", action="store_true", help="continue from the newest checkpoint")
    parser.add_argument("--evaluate-only", action="store_true")
    parser.add_argument("--show-hardest", action="store_true", help="list the hardest samples after training")
    parser.add_argument("--classes", type=int, default=10)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=90)
    parser.add_argument("--warmup-epochs", type=int, default=2, help="epochs in which only the classifier is trained")
    parser.add_argument("--probe-epochs", type=int, default=0, help="epochs of a linear probe after training")
    parser.add_argument("--batch-size", type=int, default=128, help="per process")
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--weight-decay", type=float, default=5e-4)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--patience", type=int, default=12)
    parser.add_argument("--log-every", type=int, default=50)
    parser.add_argument("--keep", type=int, default=3, help="checkpoints to keep")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=17)
    return parser.parse_args()
