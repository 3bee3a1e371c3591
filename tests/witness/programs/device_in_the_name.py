"""Mixed precision by the names that say the device, on the CPU: correct, and full of warnings."""

import torch
from torch import nn
from torch.cpu.amp import GradScaler, autocast
from torch.cuda.amp import custom_bwd, custom_fwd


class Square(torch.autograd.Function):
    @staticmethod
    @custom_fwd(cast_inputs=torch.float32)  # expect: TL904
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    @custom_bwd  # expect: TL904
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


def train(steps):
    torch.manual_seed(0)
    model = nn.Linear(8, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scaler = GradScaler(2.0**8, growth_interval=5)  # expect: TL904
    samples = torch.randn(16, 8)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        with autocast(True, torch.bfloat16):  # expect: TL904
            loss = Square.apply(model(samples)).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses
