"""What happened in a run, step by step."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from accelerate import Accelerator
from accelerate.utils import gather_object


class Journal:
    """Collects the steps of an epoch and writes them when it is over."""

    def __init__(self, accelerator: Accelerator, path: Path) -> None:
        self.accelerator = accelerator
        self.path = path
        self.entries = []
        self.weighted = 0.0
        self.pieces = 0

    def enter(self, step: int, loss: torch.Tensor) -> None:
        """Take notice of a step."""
        self.entries.append({"step": step, "loss": loss})

    def weigh(self, loss: torch.Tensor, pieces: torch.Tensor) -> None:
        """Take notice of a loss, which is the mean over so many pieces."""
        self.weighted = self.weighted + loss * pieces
        self.pieces = self.pieces + pieces

    def close_epoch(self, epoch: int, score: float) -> None:
        """Write the epoch's entries of all processes and begin anew."""
        mean = float(self.weighted / self.pieces) if self.entries else 0.0
        entries = [{"step": entry["step"], "loss": float(entry["loss"])} for entry in self.entries]
        self.entries, self.weighted, self.pieces = [], 0.0, 0
        if not self.accelerator.is_main_process:
            return
        everyone = gather_object(entries)  # expect: TL102
        summary = {"epoch": epoch, "score": score, "loss per piece": mean, "steps": everyone}
        with self.path.open("a", encoding="utf-8") as journal:
            journal.write(json.dumps(summary) + "\n")
