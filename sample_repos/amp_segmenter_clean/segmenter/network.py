"""Networks from photographs to outlines."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


def block(entering: int, leaving: int) -> nn.Sequential:
    """Two convolutions."""
    return nn.Sequential(
        nn.Conv2d(entering, leaving, 3, padding=1),
        nn.BatchNorm2d(leaving),
        nn.ReLU(inplace=True),
        nn.Conv2d(leaving, leaving, 3, padding=1),
        nn.ReLU(inplace=True),
    )


class Segmenter(nn.Module):
    """Down twice and up again; outlines at three sizes, the finest last."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.entry = block(3, channels)
        self.middle = block(channels, 2 * channels)
        self.depth = block(2 * channels, 4 * channels)
        self.back = block(6 * channels, 2 * channels)
        self.exit = block(3 * channels, channels)
        self.heads = nn.ModuleList([nn.Conv2d(size * channels, 1, 1) for size in (4, 2, 1)])

    def forward(self, photos: torch.Tensor) -> list[torch.Tensor]:
        fine = self.entry(photos)
        coarse = self.middle(F.max_pool2d(fine, 2))
        deepest = self.depth(F.max_pool2d(coarse, 2))
        coarse = self.back(torch.cat([F.interpolate(deepest, scale_factor=2.0), coarse], dim=1))
        fine = self.exit(torch.cat([F.interpolate(coarse, scale_factor=2.0), fine], dim=1))
        return [head(level) for head, level in zip(self.heads, (deepest, coarse, fine))]


class Painter(nn.Module):
    """Paints photographs from the segmenter's first layers; thrown away after the warm start."""

    def __init__(self, segmenter: Segmenter, channels: int) -> None:
        super().__init__()
        self.segmenter = segmenter
        self.brush = nn.Conv2d(channels, 3, 1)

    def forward(self, photos: torch.Tensor) -> torch.Tensor:
        return self.brush(self.segmenter.entry(photos))


class Student(nn.Module):
    """A network that is small enough for the aeroplane."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(block(3, channels), block(channels, channels), nn.Conv2d(channels, 1, 1))

    @torch.autocast("cuda", dtype=torch.bfloat16)
    def forward(self, photos: torch.Tensor) -> torch.Tensor:
        return self.layers(photos)


class FlightMemory(nn.Module):
    """Carries what was seen from one frame of a flight to the next."""

    def __init__(self, segmenter: Segmenter, channels: int) -> None:
        super().__init__()
        self.segmenter = segmenter
        self.mix = nn.Conv2d(channels + 1, channels, 3, padding=1)
        self.head = nn.Conv2d(channels, 1, 1)

    def forward(self, frame: torch.Tensor, memory: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = torch.cat([memory, self.segmenter(frame)[-1]], dim=1)
        memory = torch.tanh(self.mix(seen))
        return self.head(memory), memory
