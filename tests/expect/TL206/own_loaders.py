"""Loaders of a class of the project, which hands on what it is given: as in kaituoxu/Conv-TasNet."""

from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder


class Padded(DataLoader):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)  # expect: TL206
        self.collate_fn = list


class Quiet(DataLoader):
    def __init__(self, *args, **kwargs):
        super(Quiet, self).__init__(*args, **kwargs)


class Positional(DataLoader):
    """What is told by its place may be anything, up to ``pin_memory``."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)


class Short(DataLoader):
    def __init__(self, dataset, *args, **kwargs):
        super().__init__(dataset, *args, num_workers=8, **kwargs)  # expect: TL206


def train_epoch(model, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        model(images.cuda(), labels.cuda()).backward()
        optimizer.step()


def main(model, optimizer, folder, options):
    model = model.cuda()
    train_epoch(model, optimizer, Padded(ImageFolder(folder), batch_size=32, num_workers=8))
    train_epoch(model, optimizer, Quiet(ImageFolder(folder), batch_size=32, num_workers=8, pin_memory=True))
    train_epoch(model, optimizer, Positional(ImageFolder(folder), *options))
    train_epoch(model, optimizer, Short(ImageFolder(folder), 32, True))
