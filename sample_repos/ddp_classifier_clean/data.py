"""Datasets and loaders."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, Subset
from torch.utils.data.distributed import DistributedSampler

from distributed import get_local_rank, get_rank, get_world_size, is_distributed, is_main, wait_for_all


class ImageArrays(Dataset):
    """Images and labels of one split, memory-mapped; a sample is (normalised image, label, index)."""

    def __init__(self, folder: Path, split: str, statistics: np.ndarray) -> None:
        self.images = np.load(folder / f"{split}_images.npy", mmap_mode="r")
        self.labels = np.load(folder / f"{split}_labels.npy", mmap_mode="r")
        self.center, self.spread = statistics

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int, int]:
        pixels = (self.images[index].astype(np.float32) / 255.0 - self.center) / self.spread
        return torch.from_numpy(pixels).permute(2, 0, 1).float(), int(self.labels[index]), index


def stage_on_node(source: Path, scratch: Path | None) -> Path:
    """Copy the arrays to the node's own disk, once per node; return the folder to read from."""
    if scratch is None:
        return source
    if get_local_rank() == 0:
        scratch.mkdir(parents=True, exist_ok=True)
        for array in sorted(source.glob("*.npy")):
            shutil.copy2(array, scratch / array.name)
    wait_for_all()
    return scratch


def clear_scratch(scratch: Path | None) -> None:
    """Remove the node's copy when nobody reads it any more."""
    if scratch is None:
        return
    wait_for_all()
    if get_local_rank() == 0:
        shutil.rmtree(scratch, ignore_errors=True)


def load_statistics(folder: Path, output: Path) -> np.ndarray:
    """Mean and deviation of the training images, computed once and cached in ``output``."""
    cached = output / "statistics.npy"
    if is_main():
        output.mkdir(parents=True, exist_ok=True)
        sample = np.load(folder / "train_images.npy", mmap_mode="r")[:4096].astype(np.float32) / 255.0
        np.save(cached, np.stack([sample.mean(axis=(0, 1, 2)), sample.std(axis=(0, 1, 2)) + 1e-6]))
    wait_for_all()
    return np.load(cached)


def probe_indices(folder: Path, output: Path, seed: int) -> np.ndarray:
    """The tenth of the training set that the linear probe sees; drawn by the main process, read by the others."""
    cached = output / "probe_indices.npy"
    if get_rank() != 0:
        wait_for_all()
    if get_rank() == 0:
        population = len(np.load(folder / "train_labels.npy", mmap_mode="r"))
        np.save(cached, np.random.default_rng(seed).permutation(population)[: population // 10])
    if get_rank() == 0:
        wait_for_all()
    return np.load(cached)


def build_train_loader(args: argparse.Namespace, dataset: Dataset) -> DataLoader:
    """Shuffled batches; every process sees its own share."""
    if is_distributed():
        sampler = DistributedSampler(dataset, shuffle=True, seed=args.seed, drop_last=True)
        return DataLoader(
            dataset,
            batch_size=args.batch_size,
            sampler=sampler,
            num_workers=args.workers,
            pin_memory=True,
            drop_last=True,
        )
    return DataLoader(
        dataset, batch_size=args.batch_size, shuffle=True, num_workers=args.workers, pin_memory=True, drop_last=True
    )


def build_eval_loader(args: argparse.Namespace, dataset: Dataset) -> DataLoader:
    """Batches in the order of the file; every process sees its own share."""
    sampler = DistributedSampler(dataset, shuffle=False) if is_distributed() else None
    return DataLoader(
        dataset, batch_size=args.batch_size, sampler=sampler, num_workers=args.workers, pin_memory=True
    )


def build_probe_loader(args: argparse.Namespace, dataset: ImageArrays, folder: Path):
    """Loader and sampler over the probe's subset; the sampler is None outside a job."""
    subset = Subset(dataset, probe_indices(folder, args.output, args.seed).tolist())
    sampler = DistributedSampler(subset, seed=args.seed) if get_world_size() > 1 else None
    loader = DataLoader(
        subset,
        batch_size=args.batch_size,
        sampler=sampler,
        shuffle=sampler is None,
        num_workers=args.workers,
        pin_memory=True,
        drop_last=True,
    )
    return loader, sampler


def begin_epoch(loader: DataLoader, epoch: int) -> None:
    """Give the loader of a distributed job the order of this epoch."""
    if isinstance(loader.sampler, DistributedSampler):
        loader.sampler.set_epoch(epoch)
