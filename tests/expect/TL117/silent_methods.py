"""Methods of the model inside the wrapper that run none of its layers, or not in training; a model that nobody wraps."""

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)

    def compute_loss(self, x, y):
        return torch.nn.functional.mse_loss(self.layer(x), y)

    def loss(self, output, y):
        return torch.nn.functional.mse_loss(output, y)

    def noise(self, x):
        return x + torch.randn_like(x)


def of_outputs(loader, optimizer, rank):
    model = DDP(Net().cuda(), device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        loss = model.module.loss(model(model.module.noise(x)), y)
        loss.backward()
        optimizer.step()


def evaluated(loader, rank):
    model = DDP(Net().cuda(), device_ids=[rank])
    with torch.no_grad():
        return [model.module.compute_loss(x, y) for x, y in loader]


def beside(loader, optimizer, rank, criterion):
    model = DDP(Net().cuda(), device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y) + model.module.compute_loss(x, y)
        loss.backward()
        optimizer.step()


def alone(loader, optimizer):
    net = Net().cuda()
    for x, y in loader:
        optimizer.zero_grad()
        net.compute_loss(x, y).backward()
        optimizer.step()
