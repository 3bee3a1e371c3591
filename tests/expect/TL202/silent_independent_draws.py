"""Ranks that are meant to draw samples of their own, or have only made-up or collected ones."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset, RandomSampler, TensorDataset
from torchvision.datasets import CIFAR10


def learn(net, loader, optimizer):
    for batch in loader:
        net(batch[0]).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def other_seeds(net, optimizer, seed):
    torch.manual_seed(seed + dist.get_rank())
    net = DistributedDataParallel(net)
    loader = DataLoader(CIFAR10("data"), batch_size=64, shuffle=True)
    for _ in range(10):
        learn(net, loader, optimizer)


def generator_of_the_rank(net, optimizer, seed):
    net = DistributedDataParallel(net)
    mine = torch.Generator()
    mine.manual_seed(seed + dist.get_rank())
    data = CIFAR10("data")
    learn(net, DataLoader(data, batch_size=64, sampler=RandomSampler(data, generator=mine)), optimizer)
    learn(net, DataLoader(data, batch_size=64, shuffle=True, generator=mine), optimizer)
    learn(net, DataLoader(data, batch_size=64, sampler=RandomSampler(data, replacement=True)), optimizer)


class Noise(Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, index):
        return torch.randn(3, 32, 32), index


def made_up(net, optimizer):
    net = DistributedDataParallel(net)
    learn(net, DataLoader(Noise(), batch_size=64, shuffle=False), optimizer)
    learn(net, DataLoader(TensorDataset(torch.randn(100, 8)), batch_size=64), optimizer)


def collected(net, optimizer, game):
    """Reinforcement learning: each rank plays its own games."""
    net = DistributedDataParallel(net)
    for _ in range(100):
        seen, done = game.play(net)
        learn(net, DataLoader(TensorDataset(seen, done), batch_size=64, shuffle=True), optimizer)
