"""From the shuffle to the split: names, attributes, functions, copies, and what settles the order in between."""

import random
from random import sample

import numpy as np
import torch
import torch.distributed as dist
from torch.utils.data import Dataset, DistributedSampler, random_split


def mine(files):
    return files[dist.get_rank() :: dist.get_world_size()]


def in_a_function(files):
    random.shuffle(files)  # expect: TL215
    return mine(files)


def behind_the_split(files):
    part = mine(files)
    random.shuffle(files)
    return part


def another_list(files, names):
    random.shuffle(names)
    return files[dist.get_rank() :: dist.get_world_size()]


def nothing_shuffled(files, rng):
    rng.shuffle()
    return files[dist.get_rank() :: dist.get_world_size()]


def sorted_again(files):
    random.shuffle(files)
    files.sort()
    return files[dist.get_rank() :: dist.get_world_size()]


def sorted_before(files):
    files.sort()
    random.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def counted_again(files):
    random.shuffle(files)  # expect: TL215
    files.count("a")
    return files[dist.get_rank() :: dist.get_world_size()]


def sent_to_all(files):
    random.shuffle(files)
    dist.broadcast_object_list(files, src=0)
    return files[dist.get_rank() :: dist.get_world_size()]


def another_sent_to_all(files, names):
    random.shuffle(files)  # expect: TL215
    dist.broadcast_object_list(names, src=0)
    return files[dist.get_rank() :: dist.get_world_size()]


def told_by_someone(files, send):
    random.shuffle(files)  # expect: TL215
    send(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def a_new_order(files):
    order = np.random.permutation(len(files))  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def a_new_order_that_is_sorted(files):
    order = np.random.permutation(files)
    order.sort()
    return order[dist.get_rank() :: dist.get_world_size()]


def a_new_order_nobody_uses(files):
    np.random.permutation(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def the_items_in_an_order(files):
    order = torch.randperm(len(files)).tolist()  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def copied(files):
    order = list(np.random.permutation(files))  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def changed_by_someone(files, change):
    order = change(np.random.permutation(files))
    return order[dist.get_rank() :: dist.get_world_size()]


def joined(files, more):
    order = sample(files, len(files)) + more  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def one_of_two(files, chance):
    order = sample(files, len(files)) if chance else files  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def tested_only(files):
    order = files if sample(files, 1) else files[1:]
    return order[dist.get_rank() :: dist.get_world_size()]


def one_or_the_other(files):
    order = files or sample(range(10), 10)  # expect: TL215
    return order[dist.get_rank() :: dist.get_world_size()]


def in_a_branch(files, chance):
    if chance:
        random.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


CHANCE = False


def in_a_branch_that_does_not_run(files):
    if CHANCE:
        random.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def by_one_rank(files):
    if dist.get_rank() == 0:
        random.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def drawn(files):
    return np.random.permutation(files)


def drawn_parts(files, count):
    order = np.random.permutation(files)  # expect: TL215
    return order[:count], files[:count]


def by_one_rank_in_a_function(files):
    order = files
    if dist.get_rank() == 0:
        order = drawn(files)
    return order[dist.get_rank() :: dist.get_world_size()]


def first_of_two_results(files):
    order, _ = drawn_parts(files, 10)
    return order[dist.get_rank() :: dist.get_world_size()]


def second_of_two_results(files):
    _, order = drawn_parts(files, 10)
    return order[dist.get_rank() :: dist.get_world_size()]


def item_of_a_tuple(files):
    pair = (np.random.permutation(files), files)
    return pair[1][dist.get_rank() :: dist.get_world_size()]


def other_item_of_a_tuple(files):
    pair = (np.random.permutation(files), files)  # expect: TL215
    return pair[0][dist.get_rank() :: dist.get_world_size()]


def split_off(data):
    known, _ = random_split(data, [0.9, 0.1])  # expect: TL215
    return DistributedSampler(known)


def unpacked_by_key(data, key):
    parts = random_split(data, [0.9, 0.1])  # expect: TL215
    return DistributedSampler(parts[key])


class Shuffled(Dataset):
    """By index, from a list that its constructor shuffles."""

    def __init__(self, files):
        self.files, self.names = files, list(files)
        random.shuffle(self.files)  # expect: TL215

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return self.files[index]


class ShuffledNames(Dataset):
    """The list that is shuffled is not the one that items come from."""

    def __init__(self, files):
        self.files, self.names = files, list(files)
        random.shuffle(self.names)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return self.files[index], self.names[0]


class ShuffledLater(Dataset):
    def __init__(self, files):
        self.files = files

    def mix(self):
        random.shuffle(self.files)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return self.files[index]


class Unread(Dataset):
    def __init__(self, files):
        self.files = files
        random.shuffle(self.files)

    def __len__(self):
        return len(self.files)


class Permuted(Dataset):
    def __init__(self, files):
        self.order = np.random.permutation(len(files))  # expect: TL215
        self.files = files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return self.files[self.order[index]]


def samplers(files):
    return (
        DistributedSampler(Shuffled(files)),
        DistributedSampler(ShuffledNames(files)),
        DistributedSampler(ShuffledLater(files)),
        DistributedSampler(Unread(files)),
        DistributedSampler(Permuted(files)),
    )


class Reader:
    def __init__(self, files):
        self.files = files
        random.shuffle(self.files)  # expect: TL215

    def mine(self):
        return self.files[dist.get_rank() :: dist.get_world_size()]


class OrderedReader:
    def __init__(self, files):
        self.files = files
        random.shuffle(files[:10])

    def mine(self):
        return self.files[dist.get_rank() :: dist.get_world_size()]


ORDER = torch.randperm(1000)  # expect: TL215
NUMBERS = torch.arange(1000)


def of_a_constant():
    return ORDER[dist.get_rank() :: dist.get_world_size()]


def of_another_constant():
    return NUMBERS[dist.get_rank() :: dist.get_world_size()]


def main(files):
    return Reader(files).mine(), OrderedReader(files).mine()
