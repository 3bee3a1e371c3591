"""A step that looks plain."""

import torch
from precision import ScaledOptimizer


def main(model, criterion, loader):
    optimizer = ScaledOptimizer(torch.optim.Adam(model.parameters(), lr=1e-3), init_scale=2.0**16)
    for images, labels in loader:
        with torch.cuda.amp.autocast():
            loss = criterion(model(images), labels)
        optimizer.zero_grad()
        optimizer.backward(loss)
        optimizer.step()
