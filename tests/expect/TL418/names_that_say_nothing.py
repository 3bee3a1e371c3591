"""Functions with debug, nan or anomaly in their names that train whenever they run."""

import torch


def debug_training(model, loader, optimizer):
    torch.autograd.set_detect_anomaly(True)  # expect: TL418
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


class Finance:
    def fit(self, model, loader, optimizer):
        with torch.autograd.detect_anomaly():  # expect: TL418
            for batch in loader:
                optimizer.zero_grad()
                model(batch).backward()
                optimizer.step()


def without_nan(model, loader, optimizer, debug_level):
    if debug_level > 3:
        raise ValueError(debug_level)
    torch.autograd.set_detect_anomaly(True)  # expect: TL418
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()
