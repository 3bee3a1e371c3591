"""A plan says which phase comes after which; a match does each."""

import enum
from functools import partial

import torch
from torch import nn


class Phase(enum.Enum):
    FORWARD = "forward"
    UPDATE = "update"
    SCHEDULE = "schedule"


class Loop:
    def __init__(self, model, loader, steps):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=steps)
        self.plan = (Phase.FORWARD, Phase.UPDATE, Phase.SCHEDULE)

    def execute(self, phase, batch):
        match phase:
            case Phase.FORWARD:
                self.optimizer.zero_grad()
                self.model(batch).mean().backward()
            case Phase.UPDATE:
                self.optimizer.step()
            case Phase.SCHEDULE:
                self.scheduler.step()

    def run(self, epochs):
        for _ in range(epochs):
            for batch in self.loader:
                for phase in self.plan:
                    self.execute(phase, batch)


def main(loader):
    Loop(nn.Linear(8, 1), loader, 10_000).run(5)
