"""The path of the only checkpoint is a setting as a whole, or None; what training goes on from is that file, or another one."""
# Modelled on facebookresearch/svoice.

from pathlib import Path

import torch


class Solver:
    def __init__(self, model, optimizer, args):
        self.model = model
        self.optimizer = optimizer
        self.checkpoint = Path(args.checkpoint_file) if args.checkpoint else None
        self.continue_from = args.continue_from
        self.history = []
        self.epochs = args.epochs
        self._reset()

    def _serialize(self, path):
        package = {}
        package["model"] = self.model.state_dict()
        package["optimizer"] = self.optimizer.state_dict()
        package["history"] = self.history
        torch.save(package, path)  # expect: TL607

    def _reset(self):
        load_from = None
        if self.checkpoint and self.checkpoint.exists():
            load_from = self.checkpoint
        elif self.continue_from:
            load_from = self.continue_from
        if load_from:
            package = torch.load(load_from, "cpu")
            self.model.load_state_dict(package["model"])
            self.optimizer.load_state_dict(package["optimizer"])
            self.history = package["history"]

    def train(self, loader):
        for _ in range(len(self.history), self.epochs):
            for x in loader:
                self.optimizer.zero_grad()
                self.model(x).mean().backward()
                self.optimizer.step()
            self.history.append({"loss": 1})
            if self.checkpoint:
                self._serialize(self.checkpoint)
