"""One process, where nobody says that there are more."""

import os

import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


def begin(port):
    os.environ["MASTER_PORT"] = str(port)
    if "WORLD_SIZE" not in os.environ:
        os.environ["WORLD_SIZE"] = "1"
        os.environ["RANK"] = "0"
    dist.init_process_group("gloo")


def train(network, criterion, optimizer, epochs):
    begin(29500)
    model = DistributedDataParallel(network)
    loader = DataLoader(CIFAR10("data"), batch_size=8, shuffle=True)  # expect: TL202
    for _ in range(epochs):
        for inputs, targets in loader:
            criterion(model(inputs), targets).backward()
            optimizer.step()
            optimizer.zero_grad()
