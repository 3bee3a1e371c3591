"""Models that accelerate prepares, alone or with others."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator


def alone(x, y):
    accelerator = Accelerator()
    model = accelerator.prepare(nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1)))  # expect: TL410
    return F.cross_entropy(model(x), y)


def first_of_two(x, y):
    accelerator = Accelerator()
    net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))  # expect: TL410
    model, optimizer = accelerator.prepare(net, torch.optim.SGD(net.parameters(), lr=0.1))
    optimizer.zero_grad()
    accelerator.backward(F.cross_entropy(model(x), y))
    optimizer.step()


def second_of_two(x, y, loader):
    accelerator = Accelerator()
    loader, model = accelerator.prepare(loader, nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1)))  # expect: TL410
    return F.cross_entropy(model(x), y)


def of_a_list(x, y, things):
    accelerator = Accelerator()
    model, optimizer = accelerator.prepare(*things)
    optimizer.zero_grad()
    return F.cross_entropy(model(x), y)
