"""Schedulers that Lightning steps: once in an epoch, unless the module says otherwise."""

import lightning.pytorch as pl
import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR
from transformers import get_cosine_schedule_with_warmup


class Base(pl.LightningModule):
    def __init__(self, loader):
        super().__init__()
        self.net = nn.Linear(8, 2)
        self.loader = loader

    def training_step(self, batch, batch_idx):
        return F.cross_entropy(self.net(batch[0]), batch[1])


class Pair(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        scheduler = OneCycleLR(optimizer, 1e-2, total_steps=self.trainer.estimated_stepping_batches)  # expect: TL712
        return [optimizer], [scheduler]


class Item(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        total = len(self.loader) * self.trainer.max_epochs
        scheduler = get_cosine_schedule_with_warmup(optimizer, 100, total)  # expect: TL712
        return {"optimizer": optimizer, "lr_scheduler": scheduler}


class Named(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        schedule = OneCycleLR(optimizer, 1e-2, epochs=10, steps_per_epoch=len(self.loader))  # expect: TL712
        return [optimizer], [{"scheduler": schedule, "name": "lr"}]


class Said(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        schedule = CosineAnnealingLR(optimizer, T_max=self.trainer.estimated_stepping_batches)
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step", "frequency": 1}}


class SaidLater(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        schedule = {"scheduler": OneCycleLR(optimizer, 1e-2, epochs=10, steps_per_epoch=len(self.loader))}
        schedule["interval"] = "step"
        return [optimizer], [schedule]


class CountsEpochs(Base):
    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        return [optimizer], [CosineAnnealingLR(optimizer, T_max=self.trainer.max_epochs)]


class StepsItself(Base):
    def __init__(self, loader):
        super().__init__(loader)
        self.automatic_optimization = False

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        optimizer.zero_grad()
        self.manual_backward(F.cross_entropy(self.net(batch[0]), batch[1]))
        optimizer.step()
        self.lr_schedulers().step()

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters())
        return [optimizer], [OneCycleLR(optimizer, 1e-2, total_steps=self.trainer.estimated_stepping_batches)]
