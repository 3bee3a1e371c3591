"""How far an outline is from the right one."""

from __future__ import annotations

import torch
from torch.nn import functional as F


def outline_loss(scores: torch.Tensor, outlines: torch.Tensor) -> torch.Tensor:
    """Cross entropy and overlap, weighted alike."""
    overlap = (scores.sigmoid() * outlines).flatten(1).sum(1)
    area = (scores.sigmoid() + outlines).flatten(1).sum(1)
    return F.binary_cross_entropy_with_logits(scores, outlines) + (1 - (2 * overlap + 1) / (area + 1)).mean()


def loss_of_all_sizes(levels: list[torch.Tensor], outlines: torch.Tensor) -> torch.Tensor:
    """The outline has to be right at every size; coarse sizes count less."""
    total = 0.0
    for depth, scores in enumerate(reversed(levels)):
        wanted = F.max_pool2d(outlines, 2**depth) if depth else outlines
        total += outline_loss(scores, wanted) / 2**depth
    return total


def border_loss(scores: torch.Tensor, outlines: torch.Tensor) -> torch.Tensor:
    """Cross entropy of the pixels near a border."""
    border = F.max_pool2d(outlines, 5, 1, 2) + F.max_pool2d(-outlines, 5, 1, 2)
    return (F.binary_cross_entropy_with_logits(scores, outlines, reduction="none") * border).mean()


def teaching_losses(learned: torch.Tensor, taught: torch.Tensor, outlines: torch.Tensor) -> dict[str, torch.Tensor]:
    """What a student is judged by."""
    return {"teacher": F.mse_loss(learned.sigmoid(), taught.sigmoid()), "outline": outline_loss(learned, outlines)}
