"""What a script installs is what the code is for: MCG-NJU/MixFormer."""

import torch
from torch.cuda.amp import autocast


def train(model, x, optimizer):
    optimizer.zero_grad()
    with autocast(dtype=torch.bfloat16):
        loss = model(x)
    loss.backward()
    optimizer.step()
