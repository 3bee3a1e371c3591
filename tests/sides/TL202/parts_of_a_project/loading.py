from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


def make(size):
    return DataLoader(CIFAR10("data"), batch_size=size, shuffle=True)  # expect: TL202


def make_in_order(size):
    data = CIFAR10("data")
    return DataLoader(data, batch_size=size)  # expect: TL202
