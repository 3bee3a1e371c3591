"""Clipping behind the step of optimizers that are kept together."""

import torch

from optimizers import Optimizers


class Trainer:
    def __init__(self, model, dense, sparse):
        self.model = model
        self.optimizer = Optimizers(dense, sparse)

    def late(self, loader, norm=None):
        for inputs, labels in loader:
            self.optimizer.zero_grad()
            self.model(inputs, labels).backward()
            self.optimizer.step()
            if norm is not None:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), norm)  # expect: TL420

    def in_time(self, loader, norm):
        for inputs, labels in loader:
            self.optimizer.zero_grad()
            self.model(inputs, labels).backward()
            if norm is not None:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), norm)
            self.optimizer.step()
