"""A setting of another file decides, here, in a base class, or in what is called under a test."""

import torch
from config import Config


def make_deterministic(config: Config):
    if config.debug.seed is not None:
        torch.manual_seed(config.debug.seed)
    if config.debug.detect_anomaly:
        print("gradients are looked at: this is slow")
        torch.autograd.set_detect_anomaly(True, check_nan=False)


class Loop:
    def __init__(self, training_config):
        self.training_config = training_config

    def training_loop(self, loader, model):
        torch.autograd.set_detect_anomaly(self.training_config.detect_anomaly)
        for batch in loader:
            model(batch).backward()


class Trainer:
    def __init__(self, model, optimizer, detect_anomaly=False):
        self.model, self.optimizer, self.detect_anomaly = model, optimizer, detect_anomaly

    def train(self, loader):
        with torch.autograd.set_detect_anomaly(mode=self.detect_anomaly):
            for batch in loader:
                self.optimizer.zero_grad()
                self.model(batch).backward()
                self.optimizer.step()


def main(config: Config, loader, model):
    make_deterministic(config)
    Loop(config.debug).training_loop(loader, model)
