"""``small_gradients.py`` with a gradient scaler."""

import torch
from torch import nn


def train(steps):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    layer = nn.Linear(8, 8).to(device)
    samples = torch.randn(2**18, 8, device=device)
    wanted = layer(samples).detach() + 0.01
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    scaler = torch.amp.GradScaler(device)
    for _ in range(steps):
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.mse_loss(layer(samples), wanted)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return layer
