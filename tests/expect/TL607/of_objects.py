"""Trainers that write over their only file."""
# Modelled on pytorch/examples, SeanNaren/deepspeech.pytorch.

import os
from pathlib import Path

import torch
from torch import optim


class Trainer:
    def __init__(self, cfg, model, loader):
        self.cfg = cfg
        self.model = model
        self.loader = loader
        self.optimizer = optim.SGD(model.parameters(), 0.1, momentum=0.9)

    def state(self, epoch):
        return {"net": self.model.state_dict(), "sgd": self.optimizer.state_dict(), "epoch": epoch}

    def one(self):
        for batch in self.loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()

    def run(self):
        snapshot = torch.load(Path(self.cfg.folder) / "snapshot.pt", map_location="cpu")
        self.model.load_state_dict(snapshot["net"])
        self.optimizer.load_state_dict(snapshot["sgd"])
        for epoch in range(snapshot["epoch"] + 1, self.cfg.epochs):
            self.one()
            if epoch % self.cfg.every == 0:
                torch.save(self.state(epoch), Path(self.cfg.folder) / "snapshot.pt")  # expect: TL607


class Formatted:
    def __init__(self, args, model):
        self.args = args
        self.model = model
        self.adam = optim.Adam(model.parameters())

    def fit(self, loader):
        path = f"{self.args.root}/{self.args.name}/resume.ckpt"
        if os.path.isfile(path):
            found = torch.load(path, map_location="cpu")
            self.model.load_state_dict(found["parameters"])
            self.adam.load_state_dict(found["moments"])
        for number, batch in enumerate(loader):
            self.adam.zero_grad()
            self.model(batch).mean().backward()
            self.adam.step()
            if number % 100 == 99:
                torch.save({"parameters": self.model.state_dict(), "moments": self.adam.state_dict()}, path)  # expect: TL607
