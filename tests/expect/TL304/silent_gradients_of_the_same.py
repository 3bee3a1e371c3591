"""``autograd.grad`` goes through the graph that is kept."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def slope_of_the_loss(loader):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        x = x.requires_grad_(True)
        optimizer.zero_grad()
        loss = F.mse_loss(net(x), y)
        loss.backward(retain_graph=True)
        print(torch.autograd.grad(loss, x)[0].norm().item())
        optimizer.step()


def slope_in_a_helper(loader):
    net = Net()
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        out = net(x)
        F.mse_loss(out, y).backward(retain_graph=True)
        norm = weight_slope(out, net)
        if norm < 10:
            optimizer.step()


def weight_slope(out, net):
    return torch.autograd.grad(out.sum(), list(net.parameters()))[0].norm()
