"""Batches of one size, or of nobody knows which."""

from torch.utils.data import BatchSampler, DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision.datasets import ImageFolder


def train_epoch(model, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        model(images, labels).backward()
        optimizer.step()


def main(model, optimizer, folder, options):
    data = ImageFolder(folder)
    sampler = DistributedSampler(data)
    batches = BatchSampler(sampler, 32, drop_last=True)
    first = DataLoader(data, batch_sampler=batches)
    second = DataLoader(data, 32, sampler=sampler, **options)
    third = DataLoader(data, batch_size=None, sampler=sampler)
    for epoch in range(90):
        sampler.set_epoch(epoch)
        train_epoch(model, optimizer, first)
        train_epoch(model, optimizer, second)
        train_epoch(model, optimizer, third)
