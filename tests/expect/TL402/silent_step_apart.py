"""A step apart from the backward pass: unscaled by who calls it, for the norm alone, without a scaler, switched off."""

import torch
from torch.amp import GradScaler
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer
        self.scaler = GradScaler("cuda")

    def backward(self, loss):
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)

    def step(self):
        clip_grad_norm_(self.net.parameters(), 1.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
