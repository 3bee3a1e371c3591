"""The step runs apart from the backward pass: that the scaler makes it says that the gradients are scaled."""

import torch
from torch.amp import GradScaler
from torch.nn.utils import clip_grad_norm_


class Several:
    def __init__(self, optimizers, fp16):
        self.optimizers = optimizers
        self.scaler = torch.cuda.amp.GradScaler(enabled=fp16)

    def forward_backward(self, net, batch):
        self.scaler.scale(net(batch).mean()).backward()

    def step(self):
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                clip_grad_norm_(group["params"], 1.0)  # expect: TL402
            self.scaler.step(optimizer)
            self.scaler.update()


class One:
    def __init__(self, net, optimizer, max_norm=1.0):
        self.net, self.optimizer, self.max_norm = net, optimizer, max_norm
        self.scaler = GradScaler("cuda")

    def clip(self):
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)  # expect: TL402

    def optimizer_step(self):
        if self.max_norm is not None:
            self.clip()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()


def apply(net, optimizer, scaler: GradScaler):
    norm = clip_grad_norm_(net.parameters(), 0.5)  # expect: TL402
    if torch.isfinite(norm):
        scaler.step(optimizer)
    scaler.update()


def apply_values(net, optimizer, scaler: GradScaler, amp):
    torch.nn.utils.clip_grad_value_(net.parameters(), 0.5)  # expect: TL402
    if amp:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()
