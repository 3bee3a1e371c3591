"""Nobody updates the scaler."""

import torch
from torch.cuda.amp import GradScaler


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scaler = GradScaler()

    def apply(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)  # expect: TL404
        self.optimizer.zero_grad()

    def fit(self, loader):
        for batch in loader:
            with torch.autocast("cuda"):
                loss = self.model(batch)
            self.scaler.scale(loss).backward()
            self.apply()


def after_the_epoch(model, loader, optimizer, scaler, epochs):
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            scaler.scale(model(batch)).backward()
            scaler.step(optimizer)  # expect: TL404
        scaler.update()
