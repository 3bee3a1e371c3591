"""Workers that are kept, or have to begin anew."""

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


def one_epoch(model, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        model(images, labels).backward()
        optimizer.step()


def kept(model, optimizer, folder, workers):
    options = {"num_workers": 4, "persistent_workers": True}
    first = DataLoader(ImageFolder(folder), **options)
    second = DataLoader(ImageFolder(folder), num_workers=workers, persistent_workers=workers > 0)
    for _ in range(10):
        one_epoch(model, optimizer, first)
        one_epoch(model, optimizer, second)


def told(model, optimizer, folder):
    loader = DataLoader(ImageFolder(folder), num_workers=4)
    for epoch in range(10):
        loader.dataset.set_epoch(epoch)
        one_epoch(model, optimizer, loader)


def anew(model, optimizer, folders):
    for folder in folders:
        one_epoch(model, optimizer, DataLoader(ImageFolder(folder), num_workers=4))
