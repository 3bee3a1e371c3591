"""Nothing is required, but people are told to install torch 2.2, whose `torch.amp` has neither: MzeroMiko/VMamba."""

import torch
from torch.cuda.amp import custom_bwd, custom_fwd


class Scan(torch.autograd.Function):
    @staticmethod
    @custom_fwd
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.cumsum(-1)

    @staticmethod
    @custom_bwd
    def backward(ctx, grad):
        return grad.flip(-1).cumsum(-1).flip(-1)


def train(model, x, optimizer):
    scaler = torch.cuda.amp.GradScaler()
    optimizer.zero_grad()
    with torch.cuda.amp.autocast():
        loss = model(Scan.apply(x))
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
