"""Evaluation and the reports about it."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from distributed import collect_on_main, is_main, share_everything
from metrics import ConfusionMatrix, RunningMean, summarize


@torch.no_grad()
def evaluate(network: nn.Module, loader: DataLoader, classes: int, device: torch.device) -> dict[str, float]:
    """Accuracy and loss of ``network`` over all processes' shares; the same numbers in every process."""
    network.eval()
    confusion = ConfusionMatrix(classes, device)
    mean_loss = RunningMean(device)
    for images, labels, _ in loader:
        images = images.to(device, non_blocking=True)
        labels = labels.to(device, non_blocking=True)
        logits = network(images)
        mean_loss.include(F.cross_entropy(logits, labels), labels.numel())
        confusion.include_batch(labels, logits.argmax(dim=1))
    confusion.merge_ranks()
    return {"accuracy": confusion.accuracy(), "loss": mean_loss.over_all_ranks()}


@torch.no_grad()
def hardest_samples(network: nn.Module, loader: DataLoader, device: torch.device, count: int = 32) -> list:
    """The samples with the largest loss of the whole evaluation set, as (loss, index)."""
    network.eval()
    ours: list[tuple[float, int]] = []
    for images, labels, indices in loader:
        logits = network(images.to(device, non_blocking=True))
        losses = F.cross_entropy(logits, labels.to(device, non_blocking=True), reduction="none")
        ours.extend(zip(losses.tolist(), indices.tolist()))
    ours = sorted(ours, reverse=True)[:count]
    everyone = share_everything(ours)
    return sorted((pair for share in everyone for pair in share), reverse=True)[:count]


def memory_by_host(on_gpu: bool) -> list:
    """Peak memory and host of every process, largest first, in the main process; an empty list in the others."""
    peak = torch.cuda.max_memory_allocated() if on_gpu else 0
    return sorted(collect_on_main((peak, socket.gethostname())), reverse=True)


def write_report(path: Path, curves: dict[str, list[float]], device: torch.device) -> None:
    """Write the averaged curves of a run as JSON; every process has to call this."""
    report = summarize(curves, device)
    if is_main():
        path.write_text(json.dumps(report, indent=2) + "\n")


def append_history(path: Path, epoch: int, report: dict[str, float]) -> None:
    """Append one line of JSON to the history of the run."""
    with path.open("a") as history:
        history.write(json.dumps({"epoch": epoch, **report}) + "\n")
