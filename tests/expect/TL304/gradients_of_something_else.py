"""``autograd.grad`` is called in the same file, or of another graph: the graph of the loss is kept for nothing."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def penalty(critic, real, fake):
    """Of a critic that is trained somewhere else."""
    mixed = (0.5 * (real + fake)).requires_grad_(True)
    slope = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)[0]
    return ((slope.norm(2, dim=1) - 1) ** 2).mean()


def train(loader, epochs):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(net(x), y)
            loss.backward(retain_graph=True)  # expect: TL304
            optimizer.step()


def sensitivity(loader):
    """Looks at a second model beside the first: its slopes are computed of a graph of their own."""
    net, probe = Net(), Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward(retain_graph=True)  # expect: TL304
        optimizer.step()
        seen = y.clone().requires_grad_(True)
        print(torch.autograd.grad(probe(seen).sum(), seen)[0].abs().mean().item())
