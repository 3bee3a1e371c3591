"""Samplers that are told in time, or by somebody else."""

import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, optimizer, dataset, config):
        self.model, self.optimizer, self.config = model, optimizer, config
        self.sampler = DistributedSampler(dataset) if dist.is_initialized() else None
        self.loader = DataLoader(dataset, batch_size=8, sampler=self.sampler, num_workers=4)

    def run_epoch(self, epoch):
        if self.sampler is not None:
            self.sampler.set_epoch(epoch)
        for x, y in self.loader:
            self.optimizer.zero_grad()
            self.model(x, y).backward()
            self.optimizer.step()

    def fit(self):
        for epoch in range(self.config.epochs):
            self.run_epoch(epoch)
        self.sampler.set_epoch(0)


def two_loaders(model, optimizer, dataset, validation, epochs):
    sampler = DistributedSampler(dataset)
    other = DistributedSampler(validation)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x in loader:
            optimizer.zero_grad()
            model(x).backward()
            optimizer.step()
        other.set_epoch(epoch)


def by_steps(model, optimizer, dataset, steps):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    epoch = 0
    while True:
        for step, x in enumerate(loader):
            optimizer.zero_grad()
            model(x).backward()
            optimizer.step()
            if step == len(loader) - 1:
                epoch += 1
                sampler.set_epoch(epoch)
        if epoch * len(loader) > steps:
            return
