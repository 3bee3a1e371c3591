"""A mask that a record of the batch has."""

import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


class Tokens:
    def __init__(self, tokens, labels):
        self.tokens = tokens
        self.labels = labels

    @property
    def counted(self):
        return self.labels != -100


def train(loader, model, optimizer):
    device = xm.xla_device()
    for tokens, labels in pl.MpDeviceLoader(loader, device):
        batch = Tokens(tokens, labels)
        losses = F.cross_entropy(model(batch.tokens), batch.labels, reduction="none")
        loss = losses[batch.counted].mean()  # expect: TL502
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)


def train_masked(loader, model, optimizer):
    device = xm.xla_device()
    for tokens, labels in pl.MpDeviceLoader(loader, device):
        batch = Tokens(tokens, labels)
        losses = F.cross_entropy(model(batch.tokens), batch.labels, reduction="none")
        loss = torch.where(batch.counted, losses, 0.0).mean()
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
