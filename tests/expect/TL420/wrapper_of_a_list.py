"""Optimizers in a wrapper that a trainer puts around what the model makes, unless that is such a wrapper already."""

import torch


class Together:
    def __init__(self, optimizers=None):
        if optimizers is None:
            optimizers = []
        self.optimizers = optimizers

    def zero_grad(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def step(self):
        for optimizer in self.optimizers:
            optimizer.step()


class Model(torch.nn.Module):
    def create_optimizer(self):
        return Together([torch.optim.Adam(self.parameters())])


class Trainer:
    def __init__(self, model: Model):
        optimizer = model.create_optimizer()
        if not isinstance(optimizer, Together):
            optimizer = Together([optimizer])
        self.model, self.optimizer = model, optimizer

    def fit(self, loader):
        for batch in loader:
            loss = self.model(batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # expect: TL420

    def fit_clipped(self, loader):
        for batch in loader:
            loss = self.model(batch)
            self.optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
