"""The loader of one function, the loop of another, a device that is chosen."""

import torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def train_epoch(model, optimizer, loader, device):
    for images, labels in loader:
        optimizer.zero_grad()
        model(images.to(device), labels.to(device)).backward()
        optimizer.step()


def main(model, optimizer, folder):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(ImageFolder(folder), 32, True, num_workers=8)  # expect: TL206
    train_epoch(model.to(device), optimizer, loader, device)
