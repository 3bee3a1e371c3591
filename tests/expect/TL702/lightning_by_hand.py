"""A module that optimizes by itself: Lightning runs its backward passes, and nothing else."""

import lightning.pytorch as pl
import torch
from torch import nn


class Gan(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net_g, self.net_d = nn.Linear(3, 3), nn.Linear(3, 1)

    def configure_optimizers(self):
        return torch.optim.Adam(self.net_g.parameters()), torch.optim.Adam(self.net_d.parameters())


class Early(Gan):
    def training_step(self, batch, batch_idx):
        optim_g, optim_d = self.optimizers()
        self.toggle_optimizer(optim_g)
        optim_g.zero_grad()
        self.manual_backward(self.net_d(self.net_g(batch)).mean())
        optim_g.step()
        self.untoggle_optimizer(optim_g)
        self.toggle_optimizer(optim_d)
        self.manual_backward(self.net_d(self.net_g(batch).detach()).mean())
        optim_d.zero_grad()  # expect: TL702
        optim_d.step()
        self.untoggle_optimizer(optim_d)


class ByName(Gan):
    def training_step(self, batch, batch_idx):
        self.update(self.net_d(batch).mean(), self.optimizers()[1])

    def update(self, loss, optimizer):
        self.manual_backward(loss)
        optimizer.zero_grad()  # expect: TL702
        optimizer.step()


class Alone(pl.LightningModule):
    automatic_optimization = False

    def training_step(self, batch, batch_idx):
        opt = self.optimizers()
        self.manual_backward(batch.mean())
        opt.zero_grad()  # expect: TL702
        opt.step()


class InTime(Gan):
    def training_step(self, batch, batch_idx):
        for optimizer in self.optimizers():
            optimizer.zero_grad()
        self.manual_backward(self.net_d(self.net_g(batch)).mean())
        for optimizer in self.optimizers():
            optimizer.step()


class Other(Gan):
    def training_step(self, batch, batch_idx):
        optim_g, optim_d = self.optimizers()
        self.manual_backward(self.net_d(self.net_g(batch)).mean())
        optim_d.zero_grad()
        optim_g.step()
        optim_g.zero_grad()
