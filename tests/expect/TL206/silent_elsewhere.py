"""Pinned by a setting, or on devices for which memory is not pinned."""

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def train_epoch(model, optimizer, loader, device):
    for images, labels in loader:
        optimizer.zero_grad()
        model(images.to(device), labels.to(device)).backward()
        optimizer.step()


def on_the_host(model, optimizer, folder):
    train_epoch(model, optimizer, DataLoader(ImageFolder(folder), 32), "cpu")


def pinned(model, optimizer, folder, device):
    options = {"pin_memory": device.type == "cuda"}
    train_epoch(model, optimizer, DataLoader(ImageFolder(folder), 32, **options), device)
