"""A linear probe: how much do the frozen features know?"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel

from data import ImageArrays, build_probe_loader
from distributed import agree_on_flag, is_distributed, is_main, reduce_mean
from network import Classifier


def train_probe(
    args: argparse.Namespace, network: Classifier, dataset: ImageArrays, folder: Path, device: torch.device
) -> nn.Module:
    """Train a fresh linear layer on the frozen backbone; returns it without its wrapper."""
    loader = build_probe_loader(args, dataset, folder)
    plain = nn.Linear(network.feature_width, args.classes).to(device)
    wrapped: nn.Module = DistributedDataParallel(plain) if is_distributed() else plain
    optimizer = torch.optim.AdamW(wrapped.parameters(), lr=1e-3)
    network.eval()
    for cycle in range(args.probe_epochs):  # expect: TL201
        last = torch.zeros((), device=device)
        for images, labels, _ in loader:
            with torch.no_grad():
                features = network.backbone(images.to(device, non_blocking=True))
            loss = F.cross_entropy(wrapped(features), labels.to(device, non_blocking=True))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            last = loss.detach()
        level = reduce_mean(last).item()
        solved = False
        if is_main():
            print(f"probe cycle {cycle}: loss {level:.4f}")
            solved = level < 1e-3
        if agree_on_flag(solved, device):
            break
    return plain
