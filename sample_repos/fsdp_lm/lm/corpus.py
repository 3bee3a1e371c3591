"""Tokens on disk, and the loaders over them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from torch.utils.data import BatchSampler, DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

from .dist_env import smallest_across_ranks
from .settings import TrainSettings


class TokenBlocks(Dataset):
    """Consecutive blocks of ``context`` tokens from one file of 16-bit tokens."""

    def __init__(self, path: Path, context: int) -> None:
        self.stream = np.memmap(path, dtype=np.uint16, mode="r")
        self.block = context

    def __len__(self) -> int:
        return (len(self.stream) - 1) // self.block

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        start = index * self.block
        piece = torch.from_numpy(self.stream[start : start + self.block + 1].astype(np.int64))
        return piece[:-1], piece[1:]


class PromptPairs(Dataset):
    """Tokenised prompts and answers, one JSON object a line; the prompt is masked in the targets."""

    def __init__(self, path: Path, context: int) -> None:
        self.pairs_read = [json.loads(line) for line in path.read_text().splitlines()]
        self.length = context

    def __len__(self) -> int:
        return len(self.pairs_read)

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        pair = self.pairs_read[index]
        tokens = (pair["prompt"] + pair["answer"])[: self.length + 1]
        tokens = tokens + [0] * (self.length + 1 - len(tokens))
        targets = [-100] * len(pair["prompt"]) + pair["answer"]
        targets = (targets + [-100] * (self.length + 1))[: self.length + 1]
        return torch.tensor(tokens[:-1]), torch.tensor(targets[1:])


class WindowedSampler(DistributedSampler):
    """Shuffles over the ranks, then reads each window of the order in the order of the file."""

    def __init__(self, dataset: Dataset, window: int, shuffle_seed: int) -> None:
        super().__init__(dataset, shuffle=True, seed=shuffle_seed, drop_last=True)
        self.window = window

    def __iter__(self) -> Iterator[int]:
        order = list(super().__iter__())
        for start in range(0, len(order), self.window):
            yield from sorted(order[start : start + self.window])


def training_stream(settings: TrainSettings, context: int) -> DataLoader:
    """Loader of training blocks."""
    blocks = TokenBlocks(Path(settings.tokens) / "train.bin", context)
    sampler = WindowedSampler(blocks, window=settings.read_window, shuffle_seed=settings.shuffle_seed)
    return DataLoader(blocks, batch_size=settings.micro_batch, sampler=sampler, num_workers=2, drop_last=True)


def heldout_stream(settings: TrainSettings) -> DataLoader:
    """Loader of evaluation blocks, in order."""
    blocks = TokenBlocks(Path(settings.tokens) / "heldout.bin", settings.context)
    sampler = DistributedSampler(blocks, shuffle=False)
    return DataLoader(blocks, batch_size=settings.micro_batch, sampler=sampler, num_workers=2)


def tuning_stream(settings: TrainSettings) -> DataLoader:
    """Loader of prompts and answers, batched by a batch sampler."""
    pairs = PromptPairs(Path(settings.pairs), settings.context)
    order = DistributedSampler(pairs, seed=settings.shuffle_seed, drop_last=True)
    batches = BatchSampler(order, batch_size=settings.micro_batch, drop_last=True)
    return DataLoader(pairs, batch_sampler=batches, num_workers=2)


def batches_on(loader: DataLoader, device: torch.device) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """The batches of a loader, moved to the device."""
    for tokens, targets in loader:
        yield tokens.to(device, non_blocking=True), targets.to(device, non_blocking=True)


def count_tokens(folder: Path) -> dict[str, int]:
    """Number of tokens of every file; rank 0 looks, all get to know."""
    rank = dist.get_rank()
    counted = {}
    for name in ("train.bin", "heldout.bin"):
        if rank != 0:
            continue
        size = [(folder / name).stat().st_size // 2]
        dist.broadcast_object_list(size, src=0)  # expect: TL102
        counted[name] = size[0]
    return counted


def warn_if_full(folder: Path, needed: int, device: torch.device) -> None:
    """Say so, once per node, when the checkpoints of a run will not fit on the fullest disk."""
    rank = int(os.environ["RANK"])
    ranks_per_node = int(os.environ["LOCAL_WORLD_SIZE"])
    free = shutil.disk_usage(folder).free
    if rank % ranks_per_node == 0:
        lowest = smallest_across_ranks(free, device)  # expect: TL101
        if lowest < needed:
            print(f"only {lowest >> 30} GiB left for checkpoints")
