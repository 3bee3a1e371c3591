"""A device from outside, batches from helpers."""

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def train_epoch(model, optimizer, loader, device):
    for step, (images, labels) in enumerate(loader):
        images, labels = images.to(device), labels.to(device, non_blocking=True)  # expect: TL210
        optimizer.zero_grad()
        model(images, labels).backward()
        optimizer.step()


def main(model, optimizer, folder, device):
    loader = DataLoader(ImageFolder(folder), 32, True, num_workers=8, pin_memory=True)
    for _ in range(10):
        train_epoch(model.to(device), optimizer, loader, device)
