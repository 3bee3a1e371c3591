"""Checkpoints that every rank writes: directly, in a method, under conditions that say nothing of the rank."""

import argparse
import os

import numpy as np
import torch
import torch.distributed as dist
from torch.distributed import init_process_group


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default="runs")
    parser.add_argument("--keep-last", action="store_true")
    return parser.parse_args()


class Trainer:
    def __init__(self, model, folder):
        self.model = model
        self.folder = folder
        self.best = float("inf")

    def keep(self, loss):
        if loss < self.best:
            self.best = loss
            torch.save(self.model.state_dict(), os.path.join(self.folder, "best.pt"))  # expect: TL112

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            loss = 0.0
            for batch in loader:
                loss = self.model(batch)
            self.keep(loss)
            if (epoch + 1) % 5 == 0:
                torch.save(self.model.state_dict(), f"{self.folder}/epoch_{epoch:03d}.pt")  # expect: TL112


def main(build, loader):
    args = options()
    init_process_group("nccl")
    trainer = Trainer(build(), args.out)
    trainer.fit(loader, 30)
    if args.keep_last:
        torch.save(trainer.model.state_dict(), args.out + "/last.pt")  # expect: TL112
    history = np.zeros(30)
    np.save("{}/history.npy".format(args.out), history)  # expect: TL112
    dist.destroy_process_group()
