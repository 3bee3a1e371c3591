"""Numbers that are collected in every process and read in one."""

from __future__ import annotations

import torch

from distributed import reduce_sum


class RunningMean:
    """Weighted mean of scalar tensors, kept on the device so that adding does not wait for the GPU."""

    def __init__(self, device: torch.device) -> None:
        self.weighted = torch.zeros(2, device=device)

    def include(self, value: torch.Tensor, weight: int) -> None:
        """Add a value that stands for ``weight`` samples."""
        value = value.detach()
        self.weighted += torch.stack([value * weight, torch.full_like(value, weight)])

    def over_all_ranks(self) -> float:
        """The mean over all processes; every process has to ask."""
        weighted, weight = reduce_sum(self.weighted).tolist()
        return weighted / max(weight, 1.0)


class ConfusionMatrix:
    """Counts of (label, prediction)."""

    def __init__(self, classes: int, device: torch.device) -> None:
        self.classes_seen = classes
        self.counts = torch.zeros(classes, classes, dtype=torch.long, device=device)

    def include_batch(self, labels: torch.Tensor, predictions: torch.Tensor) -> None:
        """Count one batch."""
        cells = labels * self.classes_seen + predictions
        counted = torch.bincount(cells, minlength=self.classes_seen**2)
        self.counts += counted.view(self.classes_seen, self.classes_seen)

    def merge_ranks(self) -> None:
        """Make the counts those of all processes; every process has to ask."""
        self.counts = reduce_sum(self.counts)

    def accuracy(self) -> float:
        """Share of right predictions."""
        return (self.counts.diag().sum() / self.counts.sum().clamp(min=1)).item()


def summarize(curves: dict[str, list[float]], device: torch.device) -> dict[str, float]:
    """Last value and mean of each curve, averaged over the processes."""
    summary = {}
    for name, points in sorted(curves.items()):
        summary[f"{name}_last"], summary[f"{name}_mean"] = averaged(points, device)
    return summary


def averaged(points: list[float], device: torch.device) -> tuple[float, float]:
    """Last and mean of ``points`` over all processes."""
    numbers = torch.tensor([points[-1], sum(points) / len(points), 1.0], device=device)
    last, mean, ranks = reduce_sum(numbers).tolist()
    return last / ranks, mean / ranks
