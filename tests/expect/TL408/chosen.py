"""A loss that is chosen: of which one choice raises, and of which the choice is made so that none does."""

import torch
import torch.nn as nn


def by_labels(model, labels_count, loader, criterion=None, mixed=True):
    if criterion is None:
        criterion = nn.BCELoss() if labels_count == 1 else nn.CrossEntropyLoss()
    scaler = torch.amp.GradScaler("cuda")
    for rows, wanted in loader:
        if mixed:
            with torch.autocast("cuda"):
                loss = criterion(model(rows), wanted)  # expect-likely: TL408
            scaler.scale(loss).backward()


def by_precision(model, mixed, rows, wanted):
    criterion = nn.BCEWithLogitsLoss() if mixed else nn.BCELoss()
    with torch.autocast("cuda", enabled=mixed):
        return criterion(model(rows), wanted)
