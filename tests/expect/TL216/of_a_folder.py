"""A folder of classes, in its order."""

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def train_epoch(model, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        model(images, labels).backward()
        optimizer.step()


def main(model, optimizer, folder):
    loader = DataLoader(ImageFolder(folder), 32, num_workers=8)  # expect: TL216
    for _ in range(90):
        train_epoch(model, optimizer, loader)
