"""Schedulers of modules that optimize by themselves: Lightning steps none of them."""

import lightning.pytorch as pl
import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, ExponentialLR, StepLR


class Base(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(3, 3)

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        optimizer.zero_grad()
        self.manual_backward(self.net(batch).mean())
        optimizer.step()


class Pair(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        return [optimizer], [ExponentialLR(optimizer, 0.9)]  # expect-likely: TL710


class Kept(Base):
    def __init__(self):
        super().__init__()
        self.optim = torch.optim.AdamW(self.net.parameters())
        self.schedule = StepLR(self.optim, 10)  # expect-likely: TL710

    def configure_optimizers(self):
        return [self.optim], [self.schedule]


class Said(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        schedule = CosineAnnealingLR(optimizer, 100)  # expect-likely: TL710
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}


class Asked(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        return [optimizer], [ExponentialLR(optimizer, 0.9)]

    def on_train_epoch_end(self):
        self.lr_schedulers().step()


class Stepped(Base):
    def __init__(self):
        super().__init__()
        self.optim = torch.optim.AdamW(self.net.parameters())
        self.schedule = StepLR(self.optim, 10)

    def configure_optimizers(self):
        return [self.optim], [self.schedule]

    def on_train_epoch_end(self):
        self.schedule.step()


class ByLightning(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 3)

    def training_step(self, batch, batch_idx):
        return self.net(batch).mean()

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        return [optimizer], [ExponentialLR(optimizer, 0.9)]
