"""Command line of the summariser."""

from __future__ import annotations

import argparse
from pathlib import Path


def read_options() -> argparse.Namespace:
    """Read the options of ``accelerate launch -m summarizer.finetune``."""
    parser = argparse.ArgumentParser(description="Fine-tune a sequence-to-sequence model on articles and their summaries.")
    parser.add_argument("--articles", type=Path, required=True, help="folder of train.jsonl and judge.jsonl")
    parser.add_argument("--model", default="google/flan-t5-base", help="name or folder of the published model")
    parser.add_argument("--output", type=Path, default=Path("runs/summarizer"))
    parser.add_argument("--resume", type=Path, default=None, help="folder of a state to continue from")
    parser.add_argument("--precision", choices=["no", "fp16", "bf16"], default="fp16")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--topic-epochs", type=int, default=0, help="epochs in which the encoder learns to tell topics, before")
    parser.add_argument("--topics", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=8, help="articles per process")
    parser.add_argument("--accumulate", type=int, default=4)
    parser.add_argument("--longest-article", type=int, default=1024)
    parser.add_argument("--longest-summary", type=int, default=128)
    parser.add_argument("--learning-rate", type=float, default=3e-5)
    parser.add_argument("--warmup-steps", type=int, default=500)
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--patience", type=int, default=2, help="epochs without a better score before all stop")
    parser.add_argument("--log-every", type=int, default=20)
    parser.add_argument("--seed", type=int, default=31)
    return parser.parse_args()
