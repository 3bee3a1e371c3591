"""The file beside it is not what is imported here: this is no folder that is searched."""

import torch


def evaluate(model, loader):
    model.eval()
    right = 0
    for batch, labels in loader:
        with torch.inference_mode():
            scores = model(batch)
        right += (scores.argmax(1) == labels).sum().item()
    return right
