"""A scaler in an object, as many repositories have it."""

import torch


class Scaler:
    def __init__(self):
        self.inner = torch.amp.GradScaler("cuda")

    def __call__(self, loss, optimizer):
        self.inner.scale(loss).backward()
        self.inner.step(optimizer)
        self.inner.update()
