"""Settings of a run; every field is also an option of the command line."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class TrainSettings:
    """What can be chosen for a run."""

    tokens: str = "data/tokens"
    pairs: str = ""
    output: str = "runs/lm"
    restore: int = 0
    epochs: int = 4
    short_epochs: int = 0
    tune_epochs: int = 2
    context: int = 512
    vocabulary: int = 32_000
    layers: int = 8
    width: int = 512
    heads: int = 8
    micro_batch: int = 8
    accumulate: int = 4
    peak_rate: float = 3e-4
    decay: float = 0.1
    clip: float = 1.0
    read_window: int = 256
    log_every: int = 20
    minutes: float = 0.0
    replicas: int = 1
    shuffle_seed: int = 2024

    @property
    def output_folder(self) -> Path:
        """Where checkpoints and logs go."""
        return Path(self.output)


def read_settings() -> TrainSettings:
    """Settings from the command line: ``--epochs 4 --width 1024 …``."""
    parser = argparse.ArgumentParser(description="Train a language model with FSDP.")
    for field in fields(TrainSettings):
        parser.add_argument("--" + field.name, type=type(field.default), default=field.default)
    return TrainSettings(**vars(parser.parse_args()))
