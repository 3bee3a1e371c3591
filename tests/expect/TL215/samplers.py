"""What a distributed sampler is given, or how it is seeded."""

import random

import torch
from torch import distributed as dist
from torch.utils.data import DataLoader, Dataset, DistributedSampler, random_split
from sklearn.model_selection import train_test_split


class Pairs(Dataset):
    def __init__(self, path):
        self.pairs = open(path).read().splitlines()
        self.ready = False
        random.shuffle(self.pairs)  # expect: TL215

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, index):
        return self.pairs[index].split("\t")


def of_pairs(path):
    pairs = Pairs(path)
    return DataLoader(pairs, batch_size=32, sampler=DistributedSampler(pairs))


def parts_of(data, portion):
    known = int(len(data) * portion)
    first, second = random_split(data, [known, len(data) - known])  # expect: TL215
    return first, second


class Feeds:
    def __init__(self, known, held_out):
        self.known = self.feed(known)
        self.held_out = self.feed(held_out)

    def feed(self, data):
        return DataLoader(data, batch_size=8, sampler=DistributedSampler(data))


def both(data):
    known, held_out = parts_of(data, 0.9)
    return Feeds(known, held_out)


def lists(rows):
    known, held_out = train_test_split(rows, test_size=0.1)  # expect: TL215
    return DistributedSampler(known), DistributedSampler(held_out, shuffle=False)


def seeded_by_rank(data, args):
    return DistributedSampler(data, shuffle=True, seed=args.seed + dist.get_rank(), drop_last=True)  # expect: TL215


def generator_of_the_rank(data):
    mine = torch.Generator().manual_seed(1234 + dist.get_rank())
    known, held_out = random_split(data, [0.8, 0.2], generator=mine)  # expect: TL215
    return DistributedSampler(known), held_out
