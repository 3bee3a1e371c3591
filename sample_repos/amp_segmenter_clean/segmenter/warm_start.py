"""Before the first outline is seen: paint in what was cut out of the photographs."""

from __future__ import annotations

import argparse

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from .network import Painter, Segmenter
from .precision import CarefulStep, narrow


def cut_out(photos: torch.Tensor) -> torch.Tensor:
    """The photographs without a random half of their 8 x 8 squares."""
    squares = torch.rand(len(photos), 1, photos.shape[2] // 8, photos.shape[3] // 8, device=photos.device) < 0.5
    return photos * F.interpolate(squares.float(), scale_factor=8.0)


def warm_start(args: argparse.Namespace, segmenter: Segmenter, tiles: DataLoader, device: torch.device) -> list[float]:
    """Train the first layers of ``segmenter``; the result is the mean loss of each round."""
    painter = Painter(segmenter, args.channels).to(device)
    optimizer = torch.optim.AdamW(painter.parameters(), lr=args.learning_rate)
    careful = CarefulStep(device, optimizer, args.clip)
    means, smooth = [], None
    for turn in range(args.warm_rounds):
        losses = []
        for photos, _, _ in tiles:
            photos = photos.to(device, non_blocking=True)
            with narrow(device):
                loss = F.mse_loss(painter(cut_out(photos)), photos)
            careful.take(loss, painter.parameters(), ripe=True)
            losses.append(loss.detach())
            smooth = loss.detach() if smooth is None else 0.98 * smooth + 0.02 * loss.detach()
        means.append(torch.stack(losses).mean().item())
        print(f"warm start {turn}: loss {means[-1]:.4f}, lately {float(smooth):.4f}")
    return means
