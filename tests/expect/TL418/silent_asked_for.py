"""Somebody asks for it, turns it off, or looks for a NaN at that moment."""

import os

import pytorch_lightning as pl
import torch


class Trainer:
    def __init__(self, model, detect_anomaly=False):
        self.model = model
        self.detect_anomaly = detect_anomaly

    def step(self, batch):
        with torch.autograd.set_detect_anomaly(self.detect_anomaly):
            loss = self.model(batch).sum()
            loss.backward()
        if torch.isnan(loss):
            with torch.autograd.detect_anomaly():
                self.model(batch).sum().backward()

    def find_nan(self, batch):
        torch.autograd.set_detect_anomaly(True)
        self.model(batch).sum().backward()


def slow():
    torch.autograd.set_detect_anomaly(True)


def prepare(config):
    if config.detect_anomaly:
        slow()
    elif os.environ.get("DEBUG") == "1":
        torch.autograd.set_detect_anomaly(True)
    torch.autograd.set_detect_anomaly(False)


def retried(model, batch):
    try:
        model(batch).sum().backward()
    except RuntimeError:
        with torch.autograd.detect_anomaly():
            model(batch).sum().backward()


def fit(model, data, args):
    pl.Trainer(detect_anomaly=args.debug).fit(model, data)
    pl.Trainer(detect_anomaly=False).fit(model, data)
    prepare(args)


def main(args):
    if not args.debug:
        return fit(None, None, args)
    torch.autograd.set_detect_anomaly(True)
    return fit(None, None, args)
