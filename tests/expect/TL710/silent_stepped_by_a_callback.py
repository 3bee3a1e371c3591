"""Somebody else asks a module that optimizes by itself for its schedulers."""

import lightning.pytorch as pl
import torch
from torch import nn


class Module(pl.LightningModule):
    automatic_optimization = False

    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 3)

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        optimizer.zero_grad()
        self.manual_backward(self.net(batch).mean())
        optimizer.step()

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        return [optimizer], [torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)]


class Steps(pl.Callback):
    def on_train_epoch_end(self, trainer, pl_module):
        pl_module.lr_schedulers().step()
