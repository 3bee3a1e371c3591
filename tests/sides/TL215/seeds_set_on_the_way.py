"""The seed of a generator: an option that is changed on the way, an item under the rank, an attribute of an object."""

import random

import numpy as np
import torch
import torch.distributed as dist


def mine(files):
    return files[dist.get_rank() :: dist.get_world_size()]


def changed_here(files, args):
    args.seed += dist.get_rank()
    rng = random.Random(args.seed)
    rng.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def changed_for_all(files, args):
    args.seed += dist.get_world_size()
    rng = random.Random(args.seed)
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def changed_for_another(files, args, other):
    other.seed += dist.get_rank()
    rng = random.Random(args.seed)
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def another_option_changed(files, args):
    args.number += dist.get_rank()
    rng = random.Random(args.seed)
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def replaced_here(files, args, seeds):
    args.seed = seeds[dist.get_rank()]
    rng = random.Random(args.seed)
    rng.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def replaced_by_one_for_all(files, args, seeds):
    args.seed = seeds[0]
    rng = random.Random(args.seed)
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def cut_as_told(files, args):
    rng = random.Random(args.seed)
    rng.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def changed_by_the_caller(files, args):
    args.seed += dist.get_rank()
    return cut_as_told(files, args)


def cut_before_it_changes(files, args):
    rng = random.Random(args.seed)
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def changed_by_the_caller_too_late(files, args):
    part = cut_before_it_changes(files, args)
    args.seed += dist.get_rank()
    return part


def cut_of_another(files, args):
    rng = random.Random(args.seed)
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def another_changed_by_the_caller(files, args, other):
    other.seed += dist.get_rank()
    return cut_of_another(files, args)


def an_item_under_the_rank(files, seeds):
    rng = random.Random(seeds[dist.get_rank()])
    rng.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def an_item_for_all(files, seeds):
    rng = random.Random(seeds[0])
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def an_item_under_the_number_of_ranks(files, seeds):
    rng = random.Random(seeds[dist.get_world_size()])
    rng.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def a_pair_of_seeds(count, seed):
    rng = np.random.default_rng([seed, dist.get_rank()])
    order = rng.permutation(count)  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def a_pair_of_seeds_for_all(count, seed):
    rng = np.random.default_rng([seed, 3])
    order = rng.permutation(count)
    return order[dist.get_rank() :: dist.get_world_size()]


def a_generator_of_torch(count, seed):
    generator = torch.Generator().manual_seed(seed + dist.get_rank())
    order = torch.randperm(count, generator=generator)  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def a_generator_of_torch_for_all(count, seed):
    generator = torch.Generator().manual_seed(seed + dist.get_world_size())
    order = torch.randperm(count, generator=generator)
    return order[dist.get_rank() :: dist.get_world_size()]


class Cut:
    def __init__(self, seed):
        self.seed = seed + dist.get_rank()

    def deal(self, files):
        rng = random.Random(self.seed)
        rng.shuffle(files)  # expect: TL215
        return files[dist.get_rank() :: dist.get_world_size()]


class CutAlike:
    def __init__(self, seed):
        self.seed = seed + 1

    def deal(self, files):
        rng = random.Random(self.seed)
        rng.shuffle(files)
        return files[dist.get_rank() :: dist.get_world_size()]


def deal(files, seed):
    return Cut(seed).deal(files), CutAlike(seed).deal(list(files))
