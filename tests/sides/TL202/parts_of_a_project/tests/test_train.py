import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


def test_train():
    net = DistributedDataParallel(torch.nn.Linear(8, 8))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for images, kinds in DataLoader(CIFAR10("data"), batch_size=8):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()
