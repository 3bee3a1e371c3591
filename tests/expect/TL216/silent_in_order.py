"""Loaders that are shuffled, evaluated, or made for data that shuffles itself."""

from torch.utils.data import BatchSampler, DataLoader, RandomSampler
from torchvision.datasets import ImageFolder


def train_epoch(model, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        model(images, labels).backward()
        optimizer.step()


def evaluate(model, loader):
    return sum(model(images, labels).item() for images, labels in loader)


def main(model, optimizer, folder, stream):
    data = ImageFolder(folder)
    training = DataLoader(data, batch_sampler=BatchSampler(RandomSampler(data), 32, drop_last=True))
    streamed = DataLoader(stream, 32)
    validation = DataLoader(ImageFolder("validation"), 32)
    for _ in range(90):
        train_epoch(model, optimizer, training)
        train_epoch(model, optimizer, streamed)
        evaluate(model, validation)
