"""Loaders that libraries derive from torch's, with torch's sampler."""

import torch_geometric.data
from monai.data import DataLoader as VolumeLoader
from torch.utils.data import DistributedSampler
from torch_geometric.loader import DataListLoader
from torch_geometric.loader import DataLoader as GraphLoader


class Fitter:
    def __init__(self, graphs, settings):
        sampler = DistributedSampler(graphs, drop_last=True)
        self.loader = GraphLoader(graphs, batch_size=settings.size, sampler=sampler)

    def step(self, graph):
        loss = self.model(graph)
        loss.backward()
        return loss.item()


def fit(graphs, settings):
    fitter = Fitter(graphs, settings)
    for epoch in range(settings.epochs):  # expect: TL201
        losses = [0.0]
        for graph in fitter.loader:
            losses.append(fitter.step(graph))
        print(epoch, sum(losses))


def fit_volumes(model, scans, epochs):
    loader = VolumeLoader(scans, num_workers=2, sampler=DistributedSampler(scans))
    for _ in range(epochs):  # expect: TL201
        for scan in loader:
            model(scan).mean().backward()


def fit_lists(model, graphs, epochs):
    loader = DataListLoader(graphs, 4, sampler=DistributedSampler(graphs))
    for _ in range(epochs):  # expect: TL201
        for several in loader:
            model(several).mean().backward()


def fit_older(model, graphs, epochs):
    loader = torch_geometric.data.DataLoader(graphs, 4, sampler=DistributedSampler(graphs))
    for _ in range(epochs):  # expect: TL201
        for graph in loader:
            model(graph).mean().backward()
