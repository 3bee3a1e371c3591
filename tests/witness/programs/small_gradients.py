"""A layer whose two million outputs are all too low by a hundredth: the mean over them makes each one's gradient tiny."""

import torch
from torch import nn


def train(steps):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    layer = nn.Linear(8, 8).to(device)
    samples = torch.randn(2**18, 8, device=device)
    wanted = layer(samples).detach() + 0.01
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    for _ in range(steps):
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):  # expect: TL401
            loss = nn.functional.mse_loss(layer(samples), wanted)
        loss.backward()
        optimizer.step()
    return layer
