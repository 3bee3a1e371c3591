"""Scalers of timm, which make a whole step when they are called; nobody clears the gradients."""

import torch
from timm.utils import NativeScaler


def train(model, loader, optimizer, criterion, loss_scaler, clip):
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = criterion(model(x), y)
        loss_scaler(loss, optimizer, clip_grad=clip, parameters=model.parameters())  # expect: TL701


def main(model, loader, criterion):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        train(model, loader, optimizer, criterion, NativeScaler(), 1.0)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.loss_scaler = NativeScaler()

    def fit(self, loader):
        for x in loader:
            loss = self.model(x).mean()
            self.loss_scaler(loss, self.optimizer, parameters=self.model.parameters())  # expect: TL701


def once_more(model, loader, optimizer, loss_scaler):
    for x in loader:
        loss_scaler(model(x).mean(), optimizer)  # expect: TL701


def twice(model, loader, others):
    optimizer, loss_scaler = torch.optim.SGD(model.parameters(), lr=0.1), NativeScaler()
    once_more(model, loader, optimizer, loss_scaler)
    once_more(model, others, optimizer, loss_scaler)
