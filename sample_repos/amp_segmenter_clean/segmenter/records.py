"""Numbers of a run: means of a round, and curves over all of it."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import torch


class RoundMean:
    """The mean of a number over the tiles of a round."""

    def __init__(self) -> None:
        self.weighted = 0.0
        self.tiles = 0

    def include(self, number: torch.Tensor, tiles: int) -> None:
        """Add the mean over ``tiles`` tiles."""
        self.weighted += number * tiles
        self.tiles += tiles

    def value(self) -> float:
        """The mean so far."""
        return float(self.weighted) / max(self.tiles, 1)


class Curves:
    """Every number of a run by its name."""

    def __init__(self) -> None:
        self.points = defaultdict(list)

    def note(self, name: str, number: float | torch.Tensor) -> None:
        """Add a point to a curve."""
        self.points[name].append(number)

    def write(self, path: Path) -> None:
        """Write all curves as JSON."""
        plain = {name: [float(number) for number in numbers] for name, numbers in self.points.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(plain, indent=2) + "\n", encoding="utf-8")
