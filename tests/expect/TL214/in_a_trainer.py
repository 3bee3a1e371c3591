"""The epoch is told in the methods of a trainer, too late."""

import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, optimizer, dataset, config):
        self.model, self.optimizer, self.config = model, optimizer, config
        self.sampler = DistributedSampler(dataset) if dist.is_initialized() else None
        self.loader = DataLoader(dataset, batch_size=8, sampler=self.sampler, num_workers=4)

    def run_epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            self.model(x, y).backward()
            self.optimizer.step()

    def fit(self):
        for epoch in range(self.config.start, self.config.epochs):
            self.run_epoch()
            if self.sampler is not None:
                self.sampler.set_epoch(epoch)  # expect: TL214


def by_hand(model, optimizer, dataset, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler, num_workers=2)
    for epoch in range(epochs):
        batches = iter(loader)
        sampler.set_epoch(epoch)  # expect: TL214
        for _ in range(len(loader)):
            optimizer.zero_grad()
            model(next(batches)).backward()
            optimizer.step()
