"""Samplers that make the ranks' parts equal, and loaders that leave out an incomplete batch."""

import math

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, IterableDataset, Sampler, Subset


class Padded(Sampler):
    def __init__(self, data, num_replicas=None, rank=None):
        self.data = data
        self.num_replicas = dist.get_world_size() if num_replicas is None else num_replicas
        self.rank = dist.get_rank() if rank is None else rank
        self.num_samples = int(math.ceil(len(self.data) * 1.0 / self.num_replicas))
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self):
        order = torch.randperm(len(self.data), generator=torch.Generator().manual_seed(0)).tolist()
        order += order[: (self.total_size - len(order))]
        assert len(order) == self.total_size
        return iter(order[self.rank : self.total_size : self.num_replicas])


class Repeated(Sampler):
    """Each item three times; cut to what torch's sampler would take."""

    def __init__(self, data, rank, num_replicas):
        self.data, self.rank, self.num_replicas = data, rank, num_replicas
        self.num_samples = int(math.ceil(len(data) * 3.0 / num_replicas))
        self.total_size = self.num_samples * num_replicas

    def __iter__(self):
        order = [number for number in range(len(self.data)) for _ in range(3)]
        order += order[: (self.total_size - len(order))]
        return iter(order[self.rank : self.total_size : self.num_replicas])


class Trimmed(Sampler):
    def __init__(self, data, batch_size, world_size, rank):
        self.data, self.world_size, self.rank = data, world_size, rank
        self.count = len(data) // (batch_size * world_size) * (batch_size * world_size)

    def __iter__(self):
        order = torch.randperm(len(self.data), generator=torch.Generator().manual_seed(0))[: self.count]
        return iter(order[self.rank :: self.world_size].tolist())


class WithFiller(DistributedSampler):
    """Pads with a filler of its own; what ``total_size`` is, the library says."""

    def __init__(self, *args, filler=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.filler = filler
        if not self.drop_last and self.filler is None:
            self.total_size = len(self.dataset)

    def __iter__(self):
        order = list(range(len(self.dataset)))
        if self.filler is not None:
            order += [self.filler] * (self.total_size - len(order))
        return iter(order[self.rank : self.total_size : self.num_replicas])


class Forever(IterableDataset):
    def __init__(self, files):
        self.files = files[dist.get_rank() :: dist.get_world_size()]

    def __iter__(self):
        while True:
            yield from self.files


class InTurns(IterableDataset):
    """Every rank reads everything and keeps one of each group; an incomplete group is left out."""

    def __init__(self, files):
        self.files = files

    def __iter__(self):
        group = []
        for file in self.files:
            group.append(file)
            if len(group) == dist.get_world_size():
                yield group[dist.get_rank()]
                group = []


def one_pass(model, loader, optimizer):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def train(net, data, files, optimizer):
    model = DistributedDataParallel(net)
    rank, world = dist.get_rank(), dist.get_world_size()
    one_pass(model, DataLoader(data, 8, sampler=Padded(data)), optimizer)
    one_pass(model, DataLoader(data, 8, sampler=Repeated(data, rank, world)), optimizer)
    one_pass(model, DataLoader(data, 8, sampler=Trimmed(data, 8, world, rank)), optimizer)
    one_pass(model, DataLoader(data, 8, sampler=WithFiller(data, filler=0)), optimizer)
    one_pass(model, DataLoader(data, 8, sampler=DistributedSampler(data)), optimizer)
    one_pass(model, DataLoader(data, 8, sampler=DistributedSampler(data, drop_last=True)), optimizer)
    one_pass(model, DataLoader(Forever(files), 8), optimizer)
    one_pass(model, DataLoader(InTurns(files), 8), optimizer)
    one_pass(model, DataLoader(Subset(data, range(rank, len(data), world)), 8, drop_last=True), optimizer)
    one_pass(model, DataLoader(data, 8, shuffle=True), optimizer)
