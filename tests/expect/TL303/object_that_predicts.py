"""An object puts its model into evaluation mode when it is made; its methods run it."""

from dataclasses import dataclass
from itertools import chain

import torch
from torch import nn


@dataclass
class Predictor:
    model: nn.Module
    device: str = "cuda"

    def __post_init__(self):
        self.model.eval()

    def predict(self, batch):
        return self.model(batch.to(self.device))  # expect: TL303

    def run(self, loader):
        return [self.predict(batch) for batch in loader]


def build(path):
    model = nn.Sequential(nn.Linear(12, 64), nn.ReLU(), nn.Linear(64, 3))
    model.load_state_dict(torch.load(path, weights_only=True))
    return Predictor(model.cuda())


def main(loader, path="model.pt"):
    labels = build(path).run(loader)
    print(len(labels))
