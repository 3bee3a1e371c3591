"""The loss is computed by a method of the model that is no forward pass; one process needs no wrapper."""
# Modelled on ivanvovk/WaveGrad.

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


def of_the_module(loader, optimizer, rank):
    model = DDP(Net().cuda(), device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        loss = model.module.compute_loss(x, y)  # expect: TL117
        loss.backward()
        optimizer.step()


def of_either(loader, optimizer, rank, n_gpus):
    model = Net().cuda()
    if n_gpus > 1:
        model = DDP(model, device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        loss = (model if n_gpus == 1 else model.module).compute_loss(x, y)  # expect: TL117
        loss.backward()
        optimizer.step()


def by_its_old_name(loader, optimizer, rank):
    net = Net().cuda()
    ddp = DDP(net, device_ids=[rank])
    for x, y in loader:
        optimizer.zero_grad()
        net.compute_loss(x, y).backward()  # expect: TL117
        optimizer.step()
    return ddp
