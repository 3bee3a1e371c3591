"""A module that optimizes by itself divides its loss by itself: Lightning knows of no window."""

import lightning.pytorch as pl
import torch
from torch import nn
from torch.nn import functional as F


class Base(pl.LightningModule):
    def __init__(self, window):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(3, 3)
        self.window = window

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())


class Whole(Base):
    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        self.manual_backward(F.mse_loss(self.net(batch[0]), batch[1]))  # expect: TL706
        if (batch_idx + 1) % self.window == 0:
            optimizer.step()
            optimizer.zero_grad()


class Flagged(Base):
    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        ends = (batch_idx + 1) % self.window == 0
        loss = F.mse_loss(self.net(batch[0]), batch[1])
        self.manual_backward(loss)  # expect: TL706
        if ends:
            optimizer.step()
            optimizer.zero_grad()


class Share(Base):
    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        self.manual_backward(F.mse_loss(self.net(batch[0]), batch[1]) / self.window)
        if (batch_idx + 1) % self.window == 0:
            optimizer.step()
            optimizer.zero_grad()


class Each(Base):
    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        optimizer.zero_grad()
        self.manual_backward(F.mse_loss(self.net(batch[0]), batch[1]))
        optimizer.step()
