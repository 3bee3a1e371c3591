"""Data sets that every process fetches into one folder."""

import torch
import torch.distributed as dist
from torchvision import datasets, transforms
from torchvision.datasets import CIFAR10


def all_at_once(local_rank):
    dist.init_process_group("nccl")
    torch.cuda.set_device(local_rank)
    return datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())  # expect: TL112


def with_the_other_half(folder="pictures"):
    dist.init_process_group("nccl")
    train = CIFAR10(root=folder, train=True, download=True)  # expect: TL112
    test = CIFAR10(root=folder, train=False)
    return train, test


class Pictures:
    def __init__(self, folder):
        self.train = datasets.SVHN(folder, split="train", download=True)  # expect: TL112


def in_an_object():
    dist.init_process_group("nccl")
    return Pictures("numbers")
