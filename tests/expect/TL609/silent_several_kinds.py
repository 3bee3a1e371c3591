"""A folder with files of several kinds: who picks the last one may know."""

from pathlib import Path

import torch


def keep(out_dir, state, weights, epoch):
    torch.save(state, Path(out_dir) / f"state-{epoch}.pth")
    torch.save(weights, Path(out_dir) / f"weights-{epoch}.pth")


def resume(out_dir):
    return torch.load(sorted(Path(out_dir).glob("*.pth"))[-1], map_location="cpu")
