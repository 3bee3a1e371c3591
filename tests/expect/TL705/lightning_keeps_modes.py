"""Hooks of Lightning, which trains on in whatever mode they leave the model."""

import lightning
import torch
from torch import nn
from torch.nn.functional import cross_entropy


class Base(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 2))
        self.teacher = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 2))

    def training_step(self, batch, batch_idx):
        x, y = batch
        return cross_entropy(self.net(x), y)


class Probes(Base):
    def on_train_epoch_end(self):
        self.net.eval()  # expect: TL705
        with torch.no_grad():
            self.log("probe", self.net(torch.zeros(1, 8)).sum())


class PutsBack(Base):
    def on_train_epoch_end(self):
        self.net.eval()
        with torch.no_grad():
            self.log("probe", self.net(torch.zeros(1, 8)).sum())
        self.net.train()


class PutsBackLater(Base):
    def on_train_epoch_start(self):
        self.net.train()

    def on_train_epoch_end(self):
        self.net.eval()
        with torch.no_grad():
            self.log("probe", self.net(torch.zeros(1, 8)).sum())


class Teaches(Base):
    def on_train_epoch_end(self):
        self.teacher.eval()
        with torch.no_grad():
            self.log("probe", self.teacher(torch.zeros(1, 8)).sum())


class Validates(Base):
    def on_validation_epoch_end(self):
        self.net.eval()  # the modes of before come back
        self.log("probe", self.net(torch.zeros(1, 8)).sum())


class Samples(lightning.Callback):
    def on_train_epoch_end(self, trainer, pl_module):
        pl_module.eval()  # expect: TL705
        with torch.no_grad():
            print(pl_module(torch.zeros(1, 8)))


class SamplesAndPutsBack(lightning.Callback):
    def on_train_epoch_end(self, trainer, pl_module):
        pl_module.eval()
        with torch.no_grad():
            print(pl_module(torch.zeros(1, 8)))
        pl_module.train()
