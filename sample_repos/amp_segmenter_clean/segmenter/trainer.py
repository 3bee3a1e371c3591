"""The main stage."""

from __future__ import annotations

import argparse

import torch
from torch.utils.data import DataLoader

from .evaluation import overlap
from .losses import loss_of_all_sizes
from .network import Segmenter
from .precision import CarefulStep, narrow
from .records import Curves


class Trainer:
    """Trains the segmenter on outlines of all sizes, over accumulated gradients."""

    def __init__(self, args: argparse.Namespace, segmenter: Segmenter, curves: Curves, device: torch.device) -> None:
        self.args = args
        self.segmenter = segmenter
        self.curves = curves
        self.place = device
        optimizer = torch.optim.AdamW(segmenter.parameters(), lr=args.learning_rate)
        self.careful = CarefulStep(device, optimizer, args.clip)

    def fit(self, learned: DataLoader, judged: DataLoader) -> None:
        """All rounds of the main stage."""
        for turn in range(self.args.rounds):
            mean = self.run_round(learned)
            score = overlap(self.segmenter, judged, self.place)
            print(f"round {turn}: loss {mean:.4f}, overlap {score:.4f}")

    def run_round(self, tiles: DataLoader) -> float:
        """One pass over the tiles; the result is the mean loss."""
        self.segmenter.train()
        total, steps = torch.zeros((), device=self.place), 0
        for steps, (photos, outlines, _) in enumerate(tiles, start=1):
            photos, outlines = photos.to(self.place), outlines.to(self.place)
            with narrow(self.place):
                levels = self.segmenter(photos)
            loss = loss_of_all_sizes([level.float() for level in levels], outlines)
            ripe = steps % self.args.accumulate == 0
            self.careful.take(loss / self.args.accumulate, self.segmenter.parameters(), ripe)
            self.curves.note("main", loss.detach())
            total = total + loss.detach()
        return total.item() / max(steps, 1)
