"""The state of a run on disk."""

from __future__ import annotations

from pathlib import Path

import torch
import torch_xla.core.xla_model as xm


def write_snapshot(folder: Path, tagger: torch.nn.Module, optimizer: torch.optim.Optimizer, epoch: int) -> None:
    """Write the newest state; every core has to call this, one writes."""
    if xm.is_master_ordinal():
        folder.mkdir(parents=True, exist_ok=True)
    xm.rendezvous("folder is there")
    state = {"tagger": tagger.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
    xm.save(state, str(folder / f"epoch_{epoch:04d}.pt"))


def read_snapshot(folder: Path, tagger: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
    """Continue from the newest state; the result is the epoch to begin with."""
    written = sorted(folder.glob("epoch_*.pt"))
    if not written:
        return 0
    state = torch.load(written[-1], map_location="cpu", weights_only=True)
    tagger.load_state_dict(state["tagger"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"] + 1
