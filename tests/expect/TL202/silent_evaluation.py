"""Evaluation sees all data on each rank on purpose, and so does a group of one process."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
from torchvision.datasets import CIFAR10


def epoch(net, loader, optimizer=None):
    total = 0.0
    for images, kinds in loader:
        loss = torch.nn.functional.cross_entropy(net(images), kinds)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += loss.item()
    return total


def main(net, optimizer):
    net = DistributedDataParallel(net)
    known, held_out = CIFAR10("data", train=True), CIFAR10("data", train=False)
    sampler = DistributedSampler(known)
    feed = DataLoader(known, batch_size=64, sampler=sampler)
    checks = DataLoader(held_out, batch_size=64, shuffle=False)
    for number in range(10):
        sampler.set_epoch(number)
        epoch(net, feed, optimizer)
        with torch.no_grad():
            print(epoch(net, checks))


def plain_model(net, optimizer, epochs):
    wrapped = DistributedDataParallel(net)
    print(wrapped)
    small = torch.nn.Linear(8, 8)
    for _ in range(epochs):
        for images, _kinds in DataLoader(CIFAR10("data"), batch_size=64, shuffle=True):
            small(images).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
