"""Loaders of a trainer, with a sampler that is there in distributed runs."""

import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision.datasets import ImageFolder


class Trainer:
    def __init__(self, model, optimizer, folder, batch_size):
        self.model, self.optimizer = model, optimizer
        data = ImageFolder(folder)
        self.sampler = DistributedSampler(data) if dist.is_initialized() else None
        self.loader = DataLoader(data, batch_size, self.sampler is None, self.sampler, num_workers=4)  # expect: TL204

    def fit(self, epochs):
        for epoch in range(epochs):
            if self.sampler is not None:
                self.sampler.set_epoch(epoch)
            for images, labels in self.loader:
                self.optimizer.zero_grad()
                self.model(images, labels).backward()
                self.optimizer.step()
