"""Loops over one loader in several places, over what wraps it, and the loop of epochs around them."""

import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, RandomSampler
from torchvision.datasets import CIFAR10
from tqdm import tqdm


def step(net, optimizer, images, kinds):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(images), kinds).backward()
    optimizer.step()


def gone_through_twice(net, optimizer):
    loader = DataLoader(CIFAR10("data"), 8)  # expect: TL202
    model = DistributedDataParallel(net)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


def with_a_bar(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in tqdm(DataLoader(CIFAR10("data"), 8)):  # expect: TL202
        step(model, optimizer, images, kinds)


def counted(net, optimizer):
    model = DistributedDataParallel(net)
    for number, (images, kinds) in enumerate(DataLoader(CIFAR10("data"), 8)):  # expect: TL202
        step(model, optimizer, images, kinds)
        print(number)


def divided_by_accelerate(net, optimizer):
    model = DistributedDataParallel(net)
    loader = Accelerator().prepare(DataLoader(CIFAR10("data"), 8))
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


class Loader(DataLoader):
    def __iter__(self):
        for batch in super().__iter__():
            yield batch[dist.get_rank() :: dist.get_world_size()]


def a_loader_of_ours(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in Loader(CIFAR10("data"), 8):
        step(model, optimizer, images, kinds)


def shuffled_in_epochs(net, optimizer, epochs):
    loader = DataLoader(CIFAR10("data"), 8, shuffle=True)  # expect: TL202
    model = DistributedDataParallel(net)
    for epoch in range(epochs):
        for images, kinds in loader:
            step(model, optimizer, images, kinds)
        print(epoch)


def shuffled_in_epochs_without_a_name(net, optimizer, epochs):
    loader = DataLoader(CIFAR10("data"), 8, shuffle=True)  # expect: TL202
    model = DistributedDataParallel(net)
    for _ in range(epochs):
        for images, kinds in loader:
            step(model, optimizer, images, kinds)


def shuffled_as_long_as_it_takes(net, optimizer, most):
    loader = DataLoader(CIFAR10("data"), 8, shuffle=True)
    model = DistributedDataParallel(net)
    steps = 0
    while steps < most:
        for images, kinds in loader:
            step(model, optimizer, images, kinds)
            steps += 1


def in_order_as_long_as_it_takes(net, optimizer, most):
    loader = DataLoader(CIFAR10("data"), 8)  # expect: TL202
    model = DistributedDataParallel(net)
    steps = 0
    while steps < most:
        for images, kinds in loader:
            step(model, optimizer, images, kinds)
            steps += 1


def forever(loader):
    while True:
        yield from loader


def batches_of(loader):
    yield from loader


def a_stream_of_chance(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in forever(DataLoader(CIFAR10("data"), 8, shuffle=True)):
        step(model, optimizer, images, kinds)


def drawn_in_epochs_of_pairs(net, optimizer, plan):
    data = CIFAR10("data")
    loader = DataLoader(data, 8, sampler=RandomSampler(data))  # expect: TL202
    model = DistributedDataParallel(net)
    for epoch, rate in plan:
        print(epoch, rate)
        for images, kinds in loader:
            step(model, optimizer, images, kinds)


def seeded_alike(net, optimizer, epochs):
    loader = DataLoader(CIFAR10("data"), 8, shuffle=True)  # expect: TL202
    model = DistributedDataParallel(net)
    for epoch in range(epochs):
        optimizer.param_groups[0]["lr"] = 0.1 / (1 + epoch)
        for images, kinds in loader:
            step(model, optimizer, images, kinds)


def wrap(net):
    return DistributedDataParallel(net)


def wrapped_in_a_function(net, optimizer):
    model = wrap(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        step(model, optimizer, images, kinds)


class Wrapped(DistributedDataParallel):
    pass


def wrapped_by_a_class_of_ours(net, optimizer):
    model = Wrapped(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        step(model, optimizer, images, kinds)


def the_model_is_only_printed(net, optimizer):
    model = DistributedDataParallel(net)
    print(model)
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        step(net, optimizer, images, kinds)


def divided_by_a_slice_of_all(net, optimizer, rank, world_size, weights):
    net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        share = weights[rank::world_size]
        (torch.nn.functional.cross_entropy(net(images), kinds) * share.sum()).backward()
        optimizer.step()
        optimizer.zero_grad()


def the_first_of_the_batch(net, optimizer):
    net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        torch.nn.functional.cross_entropy(net(images[:4]), kinds[:4]).backward()
        optimizer.step()
        optimizer.zero_grad()
