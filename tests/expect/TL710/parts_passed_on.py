import torch
from torch import nn


def setup(args):
    parts = {}
    parts["model"] = nn.Linear(8, 2)
    parts["optimizer"] = torch.optim.AdamW(parts["model"].parameters(), lr=args.lr)
    parts["scheduler"] = torch.optim.lr_scheduler.StepLR(parts["optimizer"], 10)  # expect: TL710
    return parts


class Trainer:
    def __init__(self, model, optimizer, scheduler):
        self.model, self.optimizer, self.scheduler = model, optimizer, scheduler

    def epoch(self, loader):
        for x, y in loader:
            loss = nn.functional.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


def main(args, loader):
    trainer = Trainer(**setup(args))
    for _ in range(args.epochs):
        trainer.epoch(loader)
