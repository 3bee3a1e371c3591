"""The softmax, or the loss, stands in a function of its own; shapes are changed in between."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def probabilities(logits, temperature=1.0):
    return torch.softmax(logits / temperature, dim=1)  # expect: TL410


def pixels(loss_fn, maps, labels):
    """Of (N, C, H, W): one sample for each pixel."""
    flat = maps.permute(0, 2, 3, 1).contiguous().view(-1, maps.size(1))
    return loss_fn(flat, labels.view(-1))


def segment(net, loader, optimizer):
    cross_entropy_loss = nn.CrossEntropyLoss(ignore_index=255)
    for images, labels in loader:
        optimizer.zero_grad()
        pixels(cross_entropy_loss, probabilities(net(images)), labels).backward()
        optimizer.step()


def classify(net, batch, optimizer):
    def closure():
        optimizer.zero_grad()
        out = net(batch["image"])
        out = F.softmax(out, dim=1)
        value = F.cross_entropy(out, batch["label"])  # expect: TL410
        value.backward()
        return value

    optimizer.step(closure)
