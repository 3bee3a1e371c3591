"""Half precision: which kind, and how gradients survive it."""

from __future__ import annotations

from collections.abc import Iterable

import torch

HALF = torch.float16


def narrow(device: torch.device) -> torch.autocast:
    """The context in which the main network computes; plain float32 without a GPU."""
    return torch.autocast(device.type, dtype=HALF, enabled=device.type == "cuda")


class CarefulStep:
    """Backward and step for losses computed in half precision: scaled up, and down again before clipping."""

    def __init__(self, device: torch.device, optimizer: torch.optim.Optimizer, clip: float) -> None:
        self.growing = torch.amp.GradScaler(device.type, enabled=device.type == "cuda")
        self.optimizer = optimizer
        self.limit = clip

    def take(self, loss: torch.Tensor, weights: Iterable[torch.Tensor], ripe: bool) -> None:
        """Add the gradients of ``loss``; step when they are ``ripe``."""
        self.growing.scale(loss).backward()
        if not ripe:
            return
        self.growing.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(weights, self.limit)
        self.growing.step(self.optimizer)
        self.growing.update()
        self.optimizer.zero_grad(set_to_none=True)
