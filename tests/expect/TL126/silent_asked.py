"""Settings, and things that only share the word."""

import argparse

import torch
from torch.nn.parallel import DistributedDataParallel


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--find_unused_parameters", action="store_true")
    return parser.parse_args()


def build(model, cfg):
    find_unused_parameters = cfg.get("find_unused_parameters", False)
    return DistributedDataParallel(model.cuda(), find_unused_parameters=find_unused_parameters)


def when_stages_alternate(model, rank, stage):
    return DistributedDataParallel(model, device_ids=[rank], find_unused_parameters=stage == 1)


class LayerDrop(torch.nn.Module):
    def __init__(self, layers, rate):
        super().__init__()
        self.layers, self.last, self.rate = torch.nn.ModuleList(layers), torch.nn.Linear(8, 8), rate

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        if torch.rand(()) > self.rate:
            x = self.last(x)
        return x


def dropped(layers, rank):
    model = LayerDrop(layers, 0.1)
    model.to(rank)
    return DistributedDataParallel(model, device_ids=[rank], find_unused_parameters=True)


def own(strategy):
    return strategy(find_unused_parameters=True)


class Net(torch.nn.Module):
    """Parts that may take no part."""

    def __init__(self, backbone, layers, extra):
        super().__init__()
        self.backbone = backbone
        self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8) for _ in range(layers)])
        if extra:
            self.extra = torch.nn.Linear(8, 8)

    def forward(self, x):
        x = self.backbone(x)
        for layer in self.layers:
            x = layer(x)
        return x


class Sliced(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)])

    def forward(self, x, depth):
        for layer in self.layers[:depth]:
            x = layer(x)
        return x


class First(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)])

    def forward(self, x):
        return self.layers[0](x)


class Outer(torch.nn.Module):
    """A part of a part is spare."""

    def __init__(self):
        super().__init__()
        self.inner = First()

    def forward(self, x):
        return self.inner(x)


class Skipping(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)])

    def forward(self, x):
        for layer in self.layers:
            if torch.rand(()) > 0.5:
                continue
            x = layer(x)
        return x


def others(backbone, args, rank):
    models = [Net(backbone, 2, args.extra), Sliced(), First(), Outer(), Skipping()]
    first = DistributedDataParallel(Net(backbone, 2, args.extra), device_ids=[rank], find_unused_parameters=True)
    second = DistributedDataParallel(Sliced(), device_ids=[rank], find_unused_parameters=True)
    third = DistributedDataParallel(First(), device_ids=[rank], find_unused_parameters=True)
    fourth = DistributedDataParallel(Outer(), device_ids=[rank], find_unused_parameters=True)
    fifth = DistributedDataParallel(Skipping(), device_ids=[rank], find_unused_parameters=True)
    return models, first, second, third, fourth, fifth
