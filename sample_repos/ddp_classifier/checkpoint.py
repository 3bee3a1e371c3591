"""Checkpoints of a run: written by the main process, read by all."""

from __future__ import annotations

import os
from pathlib import Path

import torch
from torch import nn

from distributed import is_main, main_process_first, wait_for_all


class Checkpointer:
    """Keeps the newest checkpoints of a run in one folder."""

    def __init__(self, folder: Path, keep_newest: int) -> None:
        self.folder = folder
        self.keep_newest = keep_newest

    def save_epoch(self, snapshot: dict, epoch: int) -> None:
        """Write the checkpoint of an epoch and drop the oldest."""
        if not is_main():
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        target = self.folder / f"epoch_{epoch:05d}.pt"
        unfinished = target.with_suffix(".part")
        torch.save(snapshot, unfinished)
        os.replace(unfinished, target)
        self.drop_oldest()
        wait_for_all()  # expect: TL102

    def drop_oldest(self) -> None:
        """Remove all but the newest checkpoints."""
        for outdated in self.stored()[: -self.keep_newest]:
            outdated.unlink()

    def stored(self) -> list[Path]:
        """The checkpoints there are, oldest first (their names are zero-padded)."""
        return sorted(self.folder.glob("epoch_*.pt"))

    def newest_snapshot(self) -> dict | None:
        """The newest checkpoint on the CPU, or None."""
        stored = self.stored()
        return torch.load(stored[-1], map_location="cpu", weights_only=True) if stored else None


def load_pretrained(network: nn.Module, url: str, cache: Path) -> None:
    """Start from published weights; the main process downloads them before the others look."""
    weights = cache / "pretrained.pt"
    with main_process_first():
        if not weights.exists():
            cache.mkdir(parents=True, exist_ok=True)
            torch.hub.download_url_to_file(url, str(weights))
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
