"""Training of the linear layer alone, before the backbone is touched."""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader

from data import begin_epoch
from distributed import is_distributed
from network import Classifier


def warm_up_head(args: argparse.Namespace, network: Classifier, loader: DataLoader, device: torch.device) -> None:
    """Fit the new linear layer to pretrained features, so that its noise does not reach the backbone."""
    network.to(device)
    network.backbone.requires_grad_(False)
    network.backbone.eval()
    head: nn.Module = network.linear
    if is_distributed():
        head = DistributedDataParallel(network.linear)
    optimizer = torch.optim.SGD(head.parameters(), lr=args.learning_rate)
    for turn in range(args.warmup_epochs):
        begin_epoch(loader, turn)
        for images, labels, _ in loader:
            with torch.no_grad():
                features = network.backbone(images.to(device, non_blocking=True))
            loss = F.cross_entropy(head(features), labels.to(device, non_blocking=True))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
    network.backbone.requires_grad_(True)
