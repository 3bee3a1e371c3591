"""Tiles of photographs with the outlines of roofs on them."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, Subset


class Tiles(Dataset):
    """A sample is (photo, outline, number of the tile); pixels between 0 and 1."""

    def __init__(self, folder: Path) -> None:
        self.photos = np.load(folder / "photos.npy", mmap_mode="r")
        self.outlines = np.load(folder / "outlines.npy", mmap_mode="r")

    def __len__(self) -> int:
        return len(self.photos)

    def __getitem__(self, number: int) -> tuple[torch.Tensor, torch.Tensor, int]:
        photo = torch.from_numpy(self.photos[number].astype(np.float32) / 255.0)
        outline = torch.from_numpy(self.outlines[number].astype(np.float32))
        return photo.permute(2, 0, 1), outline[None], number


def split_tiles(args: argparse.Namespace) -> tuple[DataLoader, DataLoader]:
    """Batches to train on and batches to judge by: every tenth tile."""
    tiles = Tiles(args.tiles)
    judged = range(0, len(tiles), 10)
    learned = [number for number in range(len(tiles)) if number % 10]
    return (
        DataLoader(Subset(tiles, learned), args.batch_size, shuffle=True, num_workers=args.workers, pin_memory=True),
        DataLoader(Subset(tiles, judged), args.batch_size, num_workers=args.workers, pin_memory=True),
    )
