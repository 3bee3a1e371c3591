"""What lies between a shuffle and a split: names at the top, functions of the same name, objects, recursion, generators of numbers."""

import random
from random import sample

import numpy as np
import torch.distributed as dist
from lists_of_ours import shuffle
from torch.utils.data import Dataset, DistributedSampler

NAMES = ["a", "b", "c", "d", "e", "f"]
random.shuffle(NAMES)  # expect: TL215
TITLES = ["a", "b", "c", "d", "e", "f"]
DRAWN = sample(range(1000), 100)  # expect: TL215
KNOWN = sorted(sample(range(1000), 1000))
SHUFFLED, PLAIN = True, False


def names_at_the_top():
    return NAMES[dist.get_rank() :: dist.get_world_size()]


def other_names_at_the_top():
    return TITLES[dist.get_rank() :: dist.get_world_size()]


def drawn_at_the_top():
    return DRAWN[dist.get_rank() :: dist.get_world_size()]


def sorted_at_the_top():
    return KNOWN[dist.get_rank() :: dist.get_world_size()]


def shuffled_by_a_function_of_ours(files):
    shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def permutation(files):
    return files[::-1]


def turned_round(files):
    order = permutation(files)
    return order[dist.get_rank() :: dist.get_world_size()]


def by_a_generator_in_a_list(files):
    rngs = [np.random.default_rng()]
    rngs[0].shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def by_a_generator_that_is_asked_for(count, make):
    order = make()().permutation(count)
    return order[dist.get_rank() :: dist.get_world_size()]


def shapes_are_broadcast(files, weights):
    order = np.random.permutation(len(files))  # expect: TL215
    shape = np.broadcast(order, weights).shape
    return order[dist.get_rank() :: dist.get_world_size()], shape


def told_to_one_of_them(files, senders):
    random.shuffle(files)  # expect: TL215
    senders[0](files)
    return files[dist.get_rank() :: dist.get_world_size()]


def only_if_shuffled(files):
    if SHUFFLED:
        files = sample(files, len(files))  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def only_if_not_plain(files):
    if PLAIN:
        files = sample(files, len(files))
    return files[dist.get_rank() :: dist.get_world_size()]


def in_place_only_if_not_plain(files):
    if PLAIN:
        random.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def mixed_several_times(files, times):
    if times == 0:
        return sample(files, len(files))  # expect: TL215
    return mixed_several_times(files[::-1], times - 1)


def by_recursion(files, times):
    order = mixed_several_times(files, times)
    return order[dist.get_rank() :: dist.get_world_size()]


def halves(files, few):
    if few:
        return files, []
    return sample(files, len(files)), files  # expect: TL215


def first_of_two(files, few):
    order = halves(files, few)[0]
    return order[dist.get_rank() :: dist.get_world_size()]


def quarters(files):
    return sample(files, len(files)), files


def the_plain_one_of_two(files):
    order = quarters(files)[1]
    return order[dist.get_rank() :: dist.get_world_size()]


def one_by_one(files):
    yield from sample(files, len(files))


def of_a_generator(files):
    return one_by_one(files)


class Deck:
    def __init__(self, files):
        self.files = files

    def deal(self):
        self.order = sample(self.files, len(self.files))  # expect: TL215
        return self.order[dist.get_rank() :: dist.get_world_size()]


class DealtInOrder:
    def __init__(self, files):
        self.files = files
        self.order = sorted(files)

    def deal(self):
        return self.order[dist.get_rank() :: dist.get_world_size()]


class MixedAtFirst:
    def __init__(self, files):
        self.files = files
        random.shuffle(self.files)  # expect: TL215

    def deal(self):
        return self.files[dist.get_rank() :: dist.get_world_size()]


class OthersMixedAtFirst:
    def __init__(self, files, names, rng):
        self.files, self.names = files, names
        rng.shuffle()
        random.shuffle(self.names)

    def deal(self):
        return self.files[dist.get_rank() :: dist.get_world_size()]


class OthersMixed:
    def __init__(self, files, parent):
        self.files = files
        random.shuffle(parent.files)

    def deal(self):
        return self.files[dist.get_rank() :: dist.get_world_size()]


def decks(files, names, rng, parent):
    return (
        Deck(files).deal(),
        DealtInOrder(names).deal(),
        MixedAtFirst(list(names)).deal(),
        OthersMixedAtFirst(list(files), list(names), rng).deal(),
        OthersMixed(list(files), parent).deal(),
    )


class OfItself(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


class OfAnother(Dataset):
    def __init__(self, rows, parent):
        self.rows, self.parent = rows, parent

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.parent.rows[index], TITLES[index % 6]


def a_dataset_of_its_rows(rows):
    order = sample(rows, len(rows))  # expect: TL215
    return DistributedSampler(OfItself(order))


def a_dataset_of_the_rows_of_another(rows, parent):
    order = sample(rows, len(rows))
    return DistributedSampler(OfAnother(order, parent))
