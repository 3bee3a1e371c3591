"""Backward passes that keep their graph: whether all of the loss was made in the round, and by what."""

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)


class Remembering(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.last = nn.Linear(8, 8), None

    def forward(self, x):
        self.last = self.layer(x)
        return self.last


class Collecting(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.seen = nn.Linear(8, 8), []

    def forward(self, x):
        self.seen.append(self.layer(x))  # expect: TL301
        return self.seen[-1]


class Filling(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.table = nn.Linear(8, 8), {}

    def forward(self, x):
        self.table["last"] = self.layer(x)
        return self.table["last"]


class NoModule:
    def __call__(self, x):
        return x


def plain(loader, optimizer):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward(retain_graph=True)  # expect: TL304
        optimizer.step()


def not_kept(loader, optimizer):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward(retain_graph=False)
        optimizer.step()


def kept_by_a_setting(loader, optimizer, keep):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward(retain_graph=keep)
        optimizer.step()


def recorded_as_well(loader, optimizer):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward(retain_graph=True, create_graph=True)
        optimizer.step()


def with_a_gradient(loader, optimizer, gradient):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        net(x).backward(gradient, retain_graph=True)
        optimizer.step()


def remembering(loader, optimizer):
    net = Remembering()
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward(retain_graph=True)
        optimizer.step()


def collecting(loader, optimizer):
    net = Collecting()
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward(retain_graph=True)
        optimizer.step()


def filling(loader, optimizer):
    net = Filling()
    for x in loader:
        optimizer.zero_grad()
        net(x).mean().backward(retain_graph=True)
        optimizer.step()


def not_a_module(loader, optimizer):
    call = NoModule()
    for x in loader:
        optimizer.zero_grad()
        call(x).mean().backward(retain_graph=True)  # expect: TL304
        optimizer.step()


def with_a_constant(loader, optimizer):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        (0.5 * net(x).mean() + 1).backward(retain_graph=True)  # expect: TL304
        optimizer.step()


def with_a_parameter(loader, optimizer, weight):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        (weight * net(x).mean()).backward(retain_graph=True)
        optimizer.step()


def part_of_the_batch(loader, optimizer):
    net = Net()
    for batch in loader:
        optimizer.zero_grad()
        F.mse_loss(net(batch["x"]), batch["y"]).backward(retain_graph=True)  # expect: TL304
        optimizer.step()


def attribute_of_the_batch(loader, optimizer):
    net = Net()
    for batch in loader:
        optimizer.zero_grad()
        F.mse_loss(net(batch.x), batch.y).backward(retain_graph=True)  # expect: TL304
        optimizer.step()


def attribute_of_an_object(loader, optimizer, state):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        F.mse_loss(net(x), state.target).backward(retain_graph=True)
        optimizer.step()


def on_a_device(loader, optimizer):
    net, device = Net(), torch.device("cuda")
    for x in loader:
        optimizer.zero_grad()
        net(x.to(device)).mean().backward(retain_graph=True)  # expect: TL304
        optimizer.step()


def with_a_type(loader, optimizer):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        net(x.to(torch.float32)).mean().backward(retain_graph=True)  # expect: TL304
        optimizer.step()


def by_a_helper(loader, optimizer, helper):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        helper(net(x)).backward(retain_graph=True)
        optimizer.step()


def made_before_the_loop(loader, optimizer):
    net = Net()
    first = net(torch.ones(8))
    for x in loader:
        optimizer.zero_grad()
        F.mse_loss(first, x).backward(retain_graph=True)
        optimizer.step()


def two_passes(loader, optimizer):
    net = Net()
    for x in loader:
        optimizer.zero_grad()
        out = net(x)
        out.mean().backward(retain_graph=True)
        out.sum().backward()
        optimizer.step()


def once(x, optimizer):
    net = Net()
    optimizer.zero_grad()
    net(x).mean().backward(retain_graph=True)
    optimizer.step()


def in_an_inner_loop(loader, optimizer):
    net = Net()
    for batch in loader:
        optimizer.zero_grad()
        out = net(batch)
        for target in batch.targets:
            F.mse_loss(out, target).backward(retain_graph=True)
        optimizer.step()
