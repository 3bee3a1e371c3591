"""Somebody else splits the data: accelerate, Fabric, DataParallel in one process, or each rank its batch."""

import torch
import torch.distributed as dist
from accelerate import Accelerator
from lightning import Fabric
from torch.nn.parallel import DataParallel, DistributedDataParallel
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


def accelerated(net, optimizer):
    accelerator = Accelerator()
    loader = DataLoader(CIFAR10("data"), batch_size=64, shuffle=True)
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for images, kinds in loader:
        accelerator.backward(torch.nn.functional.cross_entropy(net(images), kinds))
        optimizer.step()
        optimizer.zero_grad()


def with_fabric(net, optimizer):
    fabric = Fabric(devices=8)
    net, optimizer = fabric.setup(net, optimizer)
    loader = fabric.setup_dataloaders(DataLoader(CIFAR10("data"), batch_size=64, shuffle=True))
    for images, kinds in loader:
        fabric.backward(torch.nn.functional.cross_entropy(net(images), kinds))
        optimizer.step()
        optimizer.zero_grad()


def one_process(net, optimizer):
    net = DataParallel(net)  # trainlint: ignore[TL116]
    for images, kinds in DataLoader(CIFAR10("data"), batch_size=64, shuffle=True):
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()
        optimizer.zero_grad()


def wrapped_loader_only(net, optimizer, accelerator: Accelerator):
    net = DistributedDataParallel(net)
    loader = accelerator.prepare_data_loader(DataLoader(CIFAR10("data"), batch_size=64, shuffle=True))
    for images, kinds in loader:
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()
        optimizer.zero_grad()


def big_batches_cut_by_hand(net, optimizer):
    net = DistributedDataParallel(net)
    rank, world = dist.get_rank(), dist.get_world_size()
    for images, kinds in DataLoader(CIFAR10("data"), batch_size=64 * world, shuffle=False):
        mine, theirs = images[rank::world], kinds[rank::world]
        torch.nn.functional.cross_entropy(net(mine), theirs).backward()
        optimizer.step()
        optimizer.zero_grad()
