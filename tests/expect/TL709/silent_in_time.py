"""Neighbours of the mistake: everything here trains what it should, or nobody can see that it does not."""

import copy

import torch
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim import SGD, Adam


def fit(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def in_stages(model, loader):
    optimizer = Adam(model.parameters())
    fit(model, optimizer, loader)
    model.head = nn.Linear(64, 2)
    optimizer = Adam(model.head.parameters())
    fit(model, optimizer, loader)


def in_two_arms(model, loader, fresh):
    if fresh:
        model.head = nn.Linear(64, 2)
        optimizer = Adam(model.parameters())
    else:
        optimizer = Adam(model.parameters())
    fit(model, optimizer, loader)


def leaves(model, loader, export):
    optimizer = Adam(model.parameters())
    if export:
        model.head = nn.Linear(64, 2)
        torch.save(model.state_dict(), "model.pt")
        return
    fit(model, optimizer, loader)


def one_of_its_own(model, loader):
    body = Adam(model.parameters())
    model.head = nn.Linear(64, 2)
    head = Adam(model.head.parameters(), lr=1e-2)
    for x in loader:
        body.zero_grad()
        head.zero_grad()
        model(x).mean().backward()
        body.step()
        head.step()


def around_the_old(model, loader):
    optimizer = Adam(model.parameters())
    model.head = nn.Sequential(nn.Dropout(0.5), model.head)
    model = DDP(model)
    fit(model, optimizer, loader)


def without_weights(model, loader):
    optimizer = Adam(model.parameters())
    model.head = nn.Identity()
    model.loss = nn.CrossEntropyLoss()
    fit(model, optimizer, loader)


def averaged(make, loader):
    model = make()
    optimizer = Adam(model.parameters())
    teacher = copy.deepcopy(model)
    teacher.head = nn.Linear(64, 2)
    teacher = make()
    fit(model, optimizer, loader)
    return teacher


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


def two_nets(loader):
    online = Net()
    optimizer = Adam(online.parameters())
    target = Net()
    target.load_state_dict(online.state_dict())
    for x in loader:
        optimizer.zero_grad()
        (online(x) - target(x).detach()).pow(2).mean().backward()
        optimizer.step()


def anew_for_each(splits):
    model = Net()
    print(sum(p.numel() for p in model.parameters()))
    for loader in splits:
        model = Net()
        optimizer = SGD(model.parameters(), lr=0.1)
        fit(model, optimizer, loader)


def anew_after(loader, path):
    model = Net()
    optimizer = SGD(model.parameters(), lr=0.1)
    fit(model, optimizer, loader)
    model = Net()
    model.load_state_dict(torch.load(path))
    return model


class Growing:
    """Points that split: the optimizer is told by hand."""

    def __init__(self, points):
        self.cloud = Net()
        self.cloud.xyz = nn.Parameter(points)
        self.optimizer = Adam([{"params": self.cloud.parameters(), "name": "xyz"}])

    def densify(self, more):
        self.cloud.xyz = nn.Parameter(torch.cat((self.cloud.xyz, more)))
        for group in self.optimizer.param_groups:
            group["params"][0] = self.cloud.xyz
        self.fit(())

    def fit(self, loader):
        for x in loader:
            self.optimizer.zero_grad()
            self.cloud(x).mean().backward()
            self.optimizer.step()


class Trainer:
    """Who calls what first is not to be seen."""

    def __init__(self):
        self.model = Net()
        self.optimizer = Adam(self.model.parameters())

    def swap(self):
        self.model.layer = nn.Linear(8, 8)

    def build(self):
        self.optimizer = Adam(self.model.parameters())

    def run(self, loader):
        fit(self.model, self.optimizer, loader)


def latent(decoder, loader):
    code = nn.Parameter(torch.zeros(1, 8))
    optimizer = Adam([code])
    decoder.layer = nn.Linear(8, 8)
    for x in loader:
        optimizer.zero_grad()
        (decoder(code) - x).pow(2).mean().backward()
        optimizer.step()
