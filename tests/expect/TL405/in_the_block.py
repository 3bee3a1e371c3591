"""Backward passes inside of an autocast."""

import torch
from torch.cuda.amp import GradScaler, autocast


class Brain:
    def __init__(self, modules):
        self.modules = modules
        self.optimizer = torch.optim.Adam(modules.parameters())
        self.scaler = GradScaler()

    def fit_batch(self, batch):
        self.optimizer.zero_grad()
        with autocast():
            loss = self.modules(batch).mean()
            self.scaler.scale(loss).backward()  # expect: TL405
            self.scaler.step(self.optimizer)
            self.scaler.update()


@torch.autocast("cuda", dtype=torch.bfloat16)
def decorated(model, batch, optimizer):
    model(batch).mean().backward()  # expect: TL405
    optimizer.step()
    optimizer.zero_grad()


def stored(model, loader, optimizer, device):
    context = torch.amp.autocast(device, dtype=torch.bfloat16)
    for batch in loader:
        with context:
            loss = model(**batch).loss
            loss.backward()  # expect: TL405
        optimizer.step()
        optimizer.zero_grad()
