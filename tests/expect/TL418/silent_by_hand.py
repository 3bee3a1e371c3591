"""Written down as advice, in a session of debugging, when a loss is no number, or for what is no training."""

import argparse
import contextlib
import logging

import torch

logger = logging.getLogger(__name__)


class Brain:
    """Only says how it is done."""

    def check(self, loss):
        if not torch.isfinite(loss):
            logger.warning("to find out why, call fit() with `torch.autograd.detect_anomaly()` around it")


def step(model, batch, optimizer, look_closer):
    """One of two contexts."""
    context = torch.autograd.detect_anomaly() if look_closer else contextlib.nullcontext()
    with context:
        loss = model(batch)
        loss.backward()
    optimizer.step()


def again(model, batch, optimizer):
    """A batch whose loss is no number is looked at once more."""
    loss = model(batch)
    if torch.isnan(loss).any():
        torch.autograd.set_detect_anomaly(True)
        model(batch).backward()
        raise ValueError("see above")
    loss.backward()
    optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--find-nan", action="store_true")
    args = parser.parse_args()
    if args.find_nan:
        torch.autograd.set_detect_anomaly(True)
