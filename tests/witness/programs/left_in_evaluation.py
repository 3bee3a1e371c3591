"""A network with batch norm is validated after each epoch and trained on in the mode of that."""

import torch
from torch import nn


def train(epochs):
    """How many batches batch norm has followed, of how many the network was trained on."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    data = [torch.randn(16, 8) for _ in range(4)]
    held_out = [torch.randn(16, 8)]
    net.train()
    for _ in range(epochs):
        for samples in data:
            loss = nn.functional.mse_loss(net(samples), samples.sum(1, keepdim=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            for samples in held_out:
                net(samples)
    return {"followed": int(net[1].num_batches_tracked), "trained": epochs * len(data)}
