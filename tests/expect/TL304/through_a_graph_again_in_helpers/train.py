"""What is computed before the loop is gone after the first update, wherever that stands."""

import torch
from torch import nn
from updates import apply, update


def once(x, steps):
    net, weight = nn.Sequential(nn.Linear(8, 8), nn.ReLU()), nn.Parameter(torch.zeros(8))
    optimizer = torch.optim.SGD([*net.parameters(), weight], lr=0.1)
    code = net(x)
    for _ in range(steps):
        update(((code - weight) ** 2).mean(), optimizer)


def each_time(x, steps):
    net, weight = nn.Sequential(nn.Linear(8, 8), nn.ReLU()), nn.Parameter(torch.zeros(8))
    optimizer = torch.optim.SGD([*net.parameters(), weight], lr=0.1)
    for _ in range(steps):
        apply(((net(x) - weight) ** 2).mean(), optimizer)
