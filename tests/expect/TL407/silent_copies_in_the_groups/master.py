"""An optimizer around another one, which it gives float32 copies to work on."""

import torch


class MasterOptimizer:
    def __init__(self, inner, scale=128.0):
        self.inner = inner
        self.scale = scale
        self.pairs = []
        for group in inner.param_groups:
            for index, weight in enumerate(group["params"]):
                copy = weight.detach().clone().float()
                copy.requires_grad = True
                group["params"][index] = copy
                self.pairs.append((weight, copy))

    def zero_grad(self):
        for weight, _ in self.pairs:
            weight.grad = None

    def backward(self, loss):
        (loss * self.scale).backward()
        for weight, copy in self.pairs:
            copy.grad = weight.grad.float() / self.scale

    def step(self):
        self.inner.step()
        with torch.no_grad():
            for weight, copy in self.pairs:
                weight.copy_(copy)
