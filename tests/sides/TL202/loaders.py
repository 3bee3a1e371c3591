"""How a loader is made: its samplers, its order, and the tests around it."""

import torch
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, SequentialSampler, WeightedRandomSampler
from torchvision.datasets import CIFAR10


def step(net, optimizer, images, kinds):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(net(images), kinds).backward()
    optimizer.step()


def in_order(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8, shuffle=False):  # expect: TL202
        step(model, optimizer, images, kinds)


def in_order_by_a_sampler(net, optimizer):
    data = CIFAR10("data")
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, 8, sampler=SequentialSampler(data)):  # expect: TL202
        step(model, optimizer, images, kinds)


def in_chance_order(net, optimizer):
    data = CIFAR10("data")
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, 8, sampler=RandomSampler(data)):  # expect: TL202
        step(model, optimizer, images, kinds)


def in_chance_order_by_name(net, optimizer):
    data = CIFAR10("data")
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, 8, sampler=RandomSampler(data_source=data)):  # expect: TL202
        step(model, optimizer, images, kinds)


def drawn_with_replacement(net, optimizer):
    data = CIFAR10("data")
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, 8, sampler=RandomSampler(data, replacement=True)):
        step(model, optimizer, images, kinds)


def drawn_with_replacement_by_position(net, optimizer):
    data = CIFAR10("data")
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, 8, sampler=RandomSampler(data, True)):
        step(model, optimizer, images, kinds)


def drawn_with_weights(net, optimizer, weights):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8, sampler=WeightedRandomSampler(weights, 100)):
        step(model, optimizer, images, kinds)


def with_a_sampler_from_elsewhere(net, optimizer, sampler):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8, sampler=sampler):
        step(model, optimizer, images, kinds)


def with_the_numbers_of_a_list(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8, sampler=[3, 1, 2]):
        step(model, optimizer, images, kinds)


def in_batches(net, optimizer):
    data = CIFAR10("data")
    batches = BatchSampler(SequentialSampler(data), 8, drop_last=True)
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(data, batch_sampler=batches):
        step(model, optimizer, images, kinds)


def in_no_batches(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8, batch_sampler=None):  # expect: TL202
        step(model, optimizer, images, kinds)


def with_a_generator(net, optimizer):
    loader = DataLoader(CIFAR10("data"), 8, shuffle=True, generator=torch.Generator().manual_seed(7))
    model = DistributedDataParallel(net)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


def with_options_from_elsewhere(net, optimizer, options):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), **options):
        step(model, optimizer, images, kinds)


def shuffled_as_told(net, optimizer, chance):
    model = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8, shuffle=chance):  # expect: TL202
        step(model, optimizer, images, kinds)


def if_distributed(net, optimizer, distributed):
    data = CIFAR10("data")
    loader = None
    if distributed:
        loader = DataLoader(data, 8)
    model = DistributedDataParallel(net)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


def if_asked_for(net, optimizer, train):
    data = CIFAR10("data")
    loader = None
    if train:
        loader = DataLoader(data, 8)  # expect: TL202
    model = DistributedDataParallel(net)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


def made(path):
    return DataLoader(CIFAR10(path), 8)  # expect: TL202


def made_for_one(path):
    return DataLoader(CIFAR10(path), 8)


def in_a_function(net, optimizer):
    model = DistributedDataParallel(net)
    for images, kinds in made("data"):
        step(model, optimizer, images, kinds)


def in_a_function_for_one(net, optimizer, world_size):
    loader = made_for_one("data") if world_size == 1 else None
    if world_size < 2:
        loader = made_for_one("data")
    model = DistributedDataParallel(net)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


def sharded_model(net, optimizer):
    model = FullyShardedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        step(model, optimizer, images, kinds)


def plain_model(net, optimizer):
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        step(net, optimizer, images, kinds)


def model_on_several_devices(net, optimizer):
    model = torch.nn.DataParallel(net)  # expect: TL116
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        step(model, optimizer, images, kinds)


def one_of_two_by_the_number_of_processes(net, optimizer, distributed, make):
    model = DistributedDataParallel(net)
    loader = make() if distributed else DataLoader(CIFAR10("data"), 8)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


def one_of_two_loaders_in_sight(net, optimizer, large):
    loader = DataLoader(CIFAR10("large"), 8) if large else DataLoader(CIFAR10("small"), 8)  # expect: TL202, TL202
    model = DistributedDataParallel(net)
    for images, kinds in loader:
        step(model, optimizer, images, kinds)


def the_batch_is_divided(net, optimizer, rank, world_size):
    net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        images, kinds = images[rank::world_size], kinds[rank::world_size]
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()
        optimizer.zero_grad()


def the_batch_is_divided_in_a_function(net, optimizer, shard_batch):
    net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        images, kinds = shard_batch(images), shard_batch(kinds)
        torch.nn.functional.cross_entropy(net(images), kinds).backward()
        optimizer.step()
        optimizer.zero_grad()


def something_else_is_divided(net, optimizer, shard_batch, weights):
    net = DistributedDataParallel(net)
    for images, kinds in DataLoader(CIFAR10("data"), 8):  # expect: TL202
        weight = shard_batch(weights)
        (torch.nn.functional.cross_entropy(net(images), kinds) * weight).backward()
        optimizer.step()
        optimizer.zero_grad()


def evaluated(net):
    net = DistributedDataParallel(net)
    net.eval()
    for images, kinds in DataLoader(CIFAR10("data"), 8):
        print(torch.nn.functional.cross_entropy(net(images), kinds))
