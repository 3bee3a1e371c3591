"""What is called a scaler scales the loss, as far as anybody can see."""

import torch
from losses import DynamicScaler


def handed(model, loader, scaler, optimizer):
    for window, later in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.l1_loss(model(window), later)
        scaler(loss, optimizer)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.scaler = DynamicScaler(2.0**16)
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self, loader):
        for window, later in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = torch.nn.functional.l1_loss(self.model(window), later)
            (loss * self.scaler.factor).backward()
            self.scaler.take_out(self.model.parameters())
            self.optimizer.step()
