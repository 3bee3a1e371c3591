"""A network with dropout and batch norm is validated in the middle of its training; the held-out data holds one batch twice."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.5), nn.Linear(32, 1))

    def forward(self, samples):
        return self.layers(samples)


def train(epochs):
    """How far apart the two losses of one and the same batch are, and how many batches batch norm has counted."""
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    data = [torch.randn(16, 8) for _ in range(4)]
    val_data = list(torch.randn(16, 8).expand(2, 16, 8))
    apart = 0.0
    for _ in range(epochs):
        net.train()
        for samples in data:
            loss = nn.functional.mse_loss(net(samples), samples.sum(1, keepdim=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        losses = []
        with torch.no_grad():
            for samples in val_data:
                losses.append(nn.functional.mse_loss(net(samples), samples.sum(1, keepdim=True)).item())  # expect: TL704
        apart = max(apart, abs(losses[0] - losses[1]))
    return {"apart": apart, "counted": int(net.layers[1].num_batches_tracked)}
