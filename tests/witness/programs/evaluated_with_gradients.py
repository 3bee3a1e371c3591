"""A deep network is evaluated; what its graphs save is counted from outside."""

import torch
from torch import nn


def evaluate(count):
    torch.manual_seed(0)
    net = nn.Sequential(*(nn.Sequential(nn.Linear(8, 8), nn.ReLU()) for _ in range(6)))
    net.eval()
    total = 0.0
    for _ in range(count):
        total += net(torch.randn(4, 8)).mean().item()  # expect: TL303
    return total


if __name__ == "__main__":
    evaluate(4)
