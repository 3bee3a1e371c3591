"""Lists that are cut by the rank after each rank mixed them in its own way."""

import glob
import itertools
import random

import numpy as np
import torch
import torch.distributed as dist


def own_files(pattern):
    rank, world = dist.get_rank(), dist.get_world_size()
    files = glob.glob(pattern)
    random.shuffle(files)  # expect: TL215
    return files[rank::world]


def own_rows(table, args):
    order = np.random.permutation(len(table))  # expect: TL215
    share = len(table) // args.world_size
    return table[order[args.rank * share : (args.rank + 1) * share]]


def own_indices(count):
    order = torch.randperm(count).tolist()  # expect: TL215
    yield from itertools.islice(order, dist.get_rank(), None, dist.get_world_size())


def own_chunk(words):
    mixed = random.sample(words, len(words))  # expect: TL215
    return np.array_split(mixed, dist.get_world_size())[dist.get_rank()]


class Shards:
    """Mixed when it is made, cut when it is iterated."""

    def __init__(self, root, rank, world_size):
        self.rank, self.world_size = rank, world_size
        self.shards = sorted(glob.glob(root + "/*.tar"))
        random.shuffle(self.shards)  # expect: TL215

    def __iter__(self):
        for shard in self.shards[self.rank :: self.world_size]:
            yield from open(shard)


def fresh_generator(files, rank, world_size):
    mixer = np.random.default_rng()
    mixer.shuffle(files)  # expect: TL215
    return files[rank::world_size]


def generator_of_the_rank(files, rank, world_size, seed):
    mixer = random.Random(seed + rank)
    mixer.shuffle(files)  # expect: TL215
    return files[rank::world_size]
