"""The script."""

import torch
from engine import Task, run_pass
from torch import nn


def main(train_loader, test_loader):
    net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 2))
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(10):
        run_pass(net, train_loader, optimizer)
        run_pass(net, test_loader)
    Task().run(net, {"train": train_loader, "test": test_loader}, optimizer)
