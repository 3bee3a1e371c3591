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
