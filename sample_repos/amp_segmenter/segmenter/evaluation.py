"""How much of the outlines is right."""

from __future__ import annotations

import torch
from torch.utils.data import DataLoader

from .losses import outline_loss
from .network import Segmenter
from .precision import narrow
from .records import RoundMean


@torch.no_grad()
def overlap(segmenter: Segmenter, tiles: DataLoader, device: torch.device) -> float:
    """Intersection over union, over all tiles."""
    segmenter.eval()
    shared, covered, losses = 0.0, 0.0, RoundMean()
    hardest = []
    for photos, outlines, numbers in tiles:
        with narrow(device):
            scores = segmenter(photos.to(device))[-1].float().cpu()
        loss = outline_loss(scores, outlines)
        losses.include(loss, len(photos))
        hardest.append((loss, numbers))
        shared += ((scores > 0) & (outlines > 0)).sum()
        covered += ((scores > 0) | (outlines > 0)).sum()
    worst = max(hardest, key=lambda pair: float(pair[0]))[1].tolist()
    print(f"judged: loss {losses.value():.4f}, worst batch {worst[:4]}")
    return float(shared) / max(float(covered), 1.0)
