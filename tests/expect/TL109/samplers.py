"""Samplers and datasets that leave a rank its part without padding, and a model that all ranks train."""

import math

import numpy as np
import pandas
import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler, Sampler, Subset, SubsetRandomSampler


class Unpadded(Sampler):
    """Like torch's, but for the padding."""

    def __init__(self, dataset, num_replicas=None, rank=None, seed=0):
        if num_replicas is None:
            num_replicas = dist.get_world_size()
        if rank is None:
            rank = dist.get_rank()
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.seed = seed
        self.epoch = 0
        self.num_samples = int(math.ceil(len(dataset) / num_replicas))

    def set_epoch(self, epoch):
        self.epoch = epoch

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self.dataset), generator=generator).tolist()
        return iter(order[self.rank :: self.num_replicas])

    def __len__(self):
        return self.num_samples


def with_sampler(net, dataset, optimizer, epochs):
    model = DistributedDataParallel(net)
    sampler = Unpadded(dataset)
    loader = DataLoader(dataset, batch_size=16, sampler=sampler, num_workers=4)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:  # expect: TL109
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


class Contiguous(Sampler):
    def __init__(self, rank, ranks, count):
        per_rank = int(math.ceil(count / ranks))
        first = rank * per_rank
        last = (rank + 1) * per_rank - 1
        if last > count - 1:
            last = count - 1
        self.order = list(range(first, last + 1))

    def __len__(self):
        return len(self.order)

    def __iter__(self):
        for number in self.order:
            yield number


def the_last_rank_lacks_batches(dataset, step):
    sampler = Contiguous(dist.get_rank(), dist.get_world_size(), len(dataset))
    for batch in DataLoader(dataset, batch_size=4, sampler=sampler, drop_last=True):  # expect: TL109
        step(batch)
        dist.barrier()


def with_subset(net, dataset, optimizer):
    model = DistributedDataParallel(net)
    mine = Subset(dataset, range(dist.get_rank(), len(dataset), dist.get_world_size()))
    for x, y in DataLoader(mine, batch_size=16, shuffle=True):  # expect: TL109
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def with_batch_sampler(net, dataset, optimizer):
    model = FullyShardedDataParallel(net)
    mine = np.arange(dist.get_rank(), len(dataset), dist.get_world_size())
    loader = DataLoader(dataset, batch_sampler=BatchSampler(SubsetRandomSampler(mine), 8, False))
    for step, (x, y) in enumerate(loader):  # expect: TL109
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()


class Table(Dataset):
    def __init__(self, path):
        table = pandas.read_csv(path)
        self.table = table.iloc[dist.get_rank() :: dist.get_world_size()].reset_index(drop=True)

    def __len__(self):
        return len(self.table)

    def __getitem__(self, number):
        return self.table.iloc[number]


def one_epoch(model, loader, optimizer):
    model.train()
    for batch in loader:  # expect: TL109
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def with_dataset(net, path, optimizer):
    one_epoch(DistributedDataParallel(net), DataLoader(Table(path), batch_size=32), optimizer)


def more_on_higher_ranks(rank):
    model = DistributedDataParallel(torch.nn.Linear(1, 1).to(rank), device_ids=[rank])
    inputs = [torch.tensor([1.0]).to(rank) for _ in range(5 + rank)]
    for x in inputs:  # expect: TL109
        model(x).sum().backward()


class Trainer:
    """The part is made in a method, the loop is in another one, the step in a third."""

    def __init__(self, net, files, rank, world_size):
        self.rank, self.world_size = rank, world_size
        self.model = DistributedDataParallel(net)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = DataLoader(self.mine(files), batch_size=4)

    def mine(self, files):
        files = sorted(files)
        if self.world_size > 1:
            files = files[self.rank :: self.world_size]
        return files

    def step(self, batch):
        return torch.nn.functional.mse_loss(self.model(batch), batch)

    def fit(self, epochs):
        for _ in range(epochs):
            for batch in self.loader:  # expect: TL109
                self.optimizer.zero_grad()
                self.step(batch).backward()
                self.optimizer.step()


SAMPLERS = {"drawn": RandomSampler}


def from_a_table(net, dataset, optimizer):
    """Which sampler it is, is said elsewhere: its arguments are the same."""
    model = DistributedDataParallel(net)
    mine = Subset(dataset, range(dist.get_rank(), len(dataset), dist.get_world_size()))
    loader = DataLoader(mine, sampler=SAMPLERS["drawn"](mine, replacement=True), num_workers=4)
    for x, y in loader:  # expect: TL109
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def drawn_alike(net, dataset, optimizer):
    model = DistributedDataParallel(net)
    mine = Subset(dataset, range(dist.get_rank(), len(dataset), dist.get_world_size()))
    loader = DataLoader(mine, sampler=SAMPLERS["drawn"](mine, num_samples=64, replacement=True), num_workers=4)
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
