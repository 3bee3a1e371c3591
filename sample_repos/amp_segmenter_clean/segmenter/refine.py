"""After the main stage: borders."""

from __future__ import annotations

import argparse

import torch
from torch.utils.data import DataLoader

from .losses import border_loss
from .network import Segmenter


class Refiner:
    """Trains the last layers on pixels near a border, and watches how far each tile's outline moves."""

    def __init__(self, args: argparse.Namespace, segmenter: Segmenter, device: torch.device) -> None:
        self.args = args
        self.segmenter = segmenter
        self.place = device
        self.half = torch.autocast(device_type="cuda", dtype=torch.bfloat16)
        self.optimizer = torch.optim.SGD(segmenter.exit.parameters(), lr=args.learning_rate, momentum=0.9)
        self.outlined = {}

    def fit(self, tiles: DataLoader) -> None:
        """All rounds of the refinement."""
        for turn in range(self.args.refine_rounds):
            moved = [self.improve(*batch) for batch in tiles]
            print(f"refined {turn}: outlines moved by {sum(moved) / max(len(moved), 1):.4f}")

    def improve(self, photos: torch.Tensor, outlines: torch.Tensor, numbers: torch.Tensor) -> float:
        """One step; the result says how far the outlines have moved since the last round."""
        photos, outlines = photos.to(self.place), outlines.to(self.place)
        with self.half:
            finest = self.segmenter(photos)[-1]
        self.descend(border_loss(finest.float(), outlines))
        moved = 0.0
        for number, scores in zip(numbers.tolist(), finest.detach()):
            if number in self.outlined:
                moved += (scores - self.outlined[number]).abs().mean().item()
            self.outlined[number] = scores
        return moved / len(photos)

    def descend(self, loss: torch.Tensor) -> None:
        """Follow the gradient of ``loss``."""
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
