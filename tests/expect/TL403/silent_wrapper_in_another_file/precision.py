"""What a booster wraps around an optimizer: its step goes through the scaler."""

import torch


class ScaledOptimizer:
    def __init__(self, inner, **settings):
        self.inner = inner
        self.scaler = torch.cuda.amp.GradScaler(**settings)

    def backward(self, loss):
        self.scaler.scale(loss).backward()

    def zero_grad(self):
        self.inner.zero_grad()

    def step(self, *args, **kwargs):
        out = self.scaler.step(self.inner, *args, **kwargs)
        self.scaler.update()
        return out
