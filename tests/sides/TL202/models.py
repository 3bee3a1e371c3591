"""Where the model is wrapped, and where its forward pass stands."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


def wrapped_if_there_are_several(net, optimizer):
    if dist.get_world_size() > 1:
        net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()


SEVERAL, ALWAYS = False, True


def never_wrapped(net, optimizer):
    if SEVERAL:
        net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()


def always_wrapped(net, optimizer):
    if ALWAYS:
        net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()


def not_called(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()
    return model


def loss_of(model, images, kinds):
    return torch.nn.functional.cross_entropy(model(images), kinds)


def scaled_loss_of(model, images, kinds):
    return 2 * loss_of(model, images, kinds)


def called_elsewhere(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        optimizer.zero_grad()
        loss_of(model, images, kinds).backward()
        optimizer.step()


def called_further_away(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        optimizer.zero_grad()
        scaled_loss_of(model, images, kinds).backward()
        optimizer.step()


def tree_loss(model, images, depth):
    if depth == 0:
        return model(images).sum()
    return tree_loss(model, images[:4], depth - 1) + tree_loss(model, images[4:], depth - 1)


def called_by_a_function_that_calls_itself(net, optimizer, levels):
    model = DistributedDataParallel(net)
    for images, _ in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        optimizer.zero_grad()
        tree_loss(model, images, levels).backward()
        optimizer.step()


def one_of_two_models(net, other, optimizer, small):
    model = DistributedDataParallel(net) if small else DistributedDataParallel(other)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), kinds).backward()
        optimizer.step()


def wrapped_and_compiled(net, optimizer):
    model = torch.compile(DistributedDataParallel(net))
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), kinds).backward()
        optimizer.step()


class Run:
    def __init__(self, net, distributed):
        self.net = net
        if distributed:
            self.net = DistributedDataParallel(net)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.loader = DataLoader(CIFAR10("data"), 8)  # expect: TL202

    def step(self, images, kinds):
        self.optimizer.zero_grad()
        torch.nn.functional.cross_entropy(self.net(images), kinds).backward()
        self.optimizer.step()

    def fit(self, epochs):
        for _ in range(epochs):
            for images, kinds in self.loader:
                self.step(images, kinds)


class SoloRun:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.loader = DataLoader(CIFAR10("data"), 8)

    def fit(self, epochs):
        for _ in range(epochs):
            for images, kinds in self.loader:
                self.optimizer.zero_grad()
                torch.nn.functional.cross_entropy(self.net(images), kinds).backward()
                self.optimizer.step()


def main(net):
    Run(net, True).fit(3)
    SoloRun(net).fit(3)
