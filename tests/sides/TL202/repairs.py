"""What the repair can write: names, orders, epochs."""

import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision.datasets import CIFAR10


def step(net, optimizer, images, kinds):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(images), kinds).backward()
    optimizer.step()


def shuffled_by_epochs(net, optimizer, epochs):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, batch_size=8, shuffle=True)  # expect: TL202
    for epoch in range(epochs):
        for images, kinds in loader:
            step(net, optimizer, images, kinds)
        print(epoch)


def shuffled_by_epochs_without_a_name(net, optimizer, epochs):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, batch_size=8, shuffle=True)  # expect: TL202
    for _ in range(epochs):
        for images, kinds in loader:
            step(net, optimizer, images, kinds)


def shuffled_by_epochs_of_two_names(net, optimizer, rates):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, batch_size=8, shuffle=True)  # expect: TL202
    for epoch, rate in enumerate(rates):
        print(epoch, rate)
        for images, kinds in loader:
            step(net, optimizer, images, kinds)


def shuffled_until_it_is_enough(net, optimizer, enough):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, batch_size=8, shuffle=True)
    while not enough(net):
        for images, kinds in loader:
            step(net, optimizer, images, kinds)


def in_order_until_it_is_enough(net, optimizer, enough):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, batch_size=8)  # expect: TL202
    while not enough(net):
        for images, kinds in loader:
            step(net, optimizer, images, kinds)


def in_order(net, optimizer, epochs):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, batch_size=8, shuffle=False, sampler=None)  # expect: TL202
    for epoch in range(epochs):
        for images, kinds in loader:
            step(net, optimizer, images, kinds)
        print(epoch)


def without_a_name(net, optimizer):
    net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), batch_size=8, shuffle=True):  # expect: TL202
        step(net, optimizer, images, kinds)


def by_position(net, optimizer):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, 8, True)  # expect: TL202
    for images, kinds in loader:
        step(net, optimizer, images, kinds)


def with_options(net, optimizer):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    options = {"batch_size": 8, "num_workers": 2}
    loader = DataLoader(data, **options)  # expect: TL202
    for images, kinds in loader:
        step(net, optimizer, images, kinds)


def shuffled_as_told(net, optimizer, chance):
    net, data = DistributedDataParallel(net), CIFAR10("data")
    loader = DataLoader(data, batch_size=8, shuffle=chance)  # expect: TL202
    for images, kinds in loader:
        step(net, optimizer, images, kinds)


def wrapped_in_some_runs(net, optimizer, several):
    data = CIFAR10("data")
    if several:
        net = DistributedDataParallel(net)
    loader = DataLoader(data, batch_size=8, shuffle=True)  # expect: TL202
    for images, kinds in loader:
        step(net, optimizer, images, kinds)


class Run:
    def __init__(self, net):
        self.net = DistributedDataParallel(net)
        self.data = CIFAR10("data")
        self.loader = DataLoader(self.data, batch_size=8, shuffle=True)  # expect: TL202
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def one_epoch(self):
        for images, kinds in self.loader:
            step(self.net, self.optimizer, images, kinds)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.one_epoch()
            print(epoch)


def main(net):
    Run(net).fit(3)
    return DistributedSampler
