"""What a run tells about itself."""

from __future__ import annotations

import json
from pathlib import Path

import torch
import torch.distributed as dist

from .dist_env import ProcessInfo, from_all_ranks


class LossWindow:
    """Losses since the last flush, kept as tensors of the device without their graph."""

    def __init__(self, info: ProcessInfo, path: Path) -> None:
        self.process = info
        self.path = path
        self.recent: list[torch.Tensor] = []

    def push(self, loss: torch.Tensor) -> None:
        """Remember the loss of a step."""
        self.recent.append(loss.detach())

    def flush_epoch(self, epoch: int) -> None:
        """Write the epoch's mean loss of every rank, and forget; every process has to call this."""
        means = self.means_of_ranks()
        if self.process.is_main:
            with self.path.open("a") as log:
                log.write(json.dumps({"epoch": epoch, "loss_by_rank": means}) + "\n")
        self.recent.clear()

    def means_of_ranks(self) -> list[float]:
        """Mean of the recent losses, one number per rank."""
        own = torch.stack(self.recent).mean().item() if self.recent else 0.0
        return from_all_ranks(own)


def peak_memory_line(device: torch.device) -> str:
    """The largest memory peak of all GPUs, as a line of the log."""
    peak = torch.cuda.max_memory_allocated() if device.type == "cuda" else 0
    largest = torch.tensor(peak, dtype=torch.float64, device=device)
    if dist.get_world_size() > 1:
        dist.all_reduce(largest, op=dist.ReduceOp.MAX)
    return f"peak memory {largest.item() / 2**30:.2f} GiB"
