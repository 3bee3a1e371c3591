"""The same loaders, where the sampler is told the epoch, or keeps one order on purpose, or there is one pass only."""

from monai.data import DataLoader as VolumeLoader
from torch.utils.data import DistributedSampler
from torch_geometric.loader import DataLoader as GraphLoader


def fit(model, graphs, epochs):
    sampler = DistributedSampler(graphs)
    loader = GraphLoader(graphs, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for graph in loader:
            model(graph).mean().backward()


def fit_in_order(model, scans, epochs):
    loader = VolumeLoader(scans, num_workers=2, sampler=DistributedSampler(scans, shuffle=False))
    for _ in range(epochs):
        for scan in loader:
            model(scan).mean().backward()


def fit_once(model, graphs):
    loader = GraphLoader(graphs, sampler=DistributedSampler(graphs))
    for graph in loader:
        model(graph).mean().backward()


def fit_alone(model, graphs, epochs):
    loader = GraphLoader(graphs, batch_size=4, shuffle=True)
    for _ in range(epochs):
        for graph in loader:
            model(graph).mean().backward()
