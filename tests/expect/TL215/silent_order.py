"""Shuffled after the split, made the same again, or not split at all."""

import random

import numpy as np
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def afterwards(files):
    mine = files[dist.get_rank() :: dist.get_world_size()]
    random.shuffle(mine)
    return mine


def sorted_again(files):
    random.shuffle(files)
    files.sort()
    return files[dist.get_rank() :: dist.get_world_size()]


def sorted_copy(files):
    some = random.sample(files, 100)
    return sorted(files)[dist.get_rank() :: dist.get_world_size()], some


def told_to_all(files):
    random.shuffle(files)
    box = [files]
    dist.broadcast_object_list(box)
    return box[0][dist.get_rank() :: dist.get_world_size()]


def sent_to_all(count):
    order = torch.randperm(count, device="cuda")
    dist.broadcast(order, 0)
    return order[dist.get_rank() :: dist.get_world_size()]


def the_main_one_decides(files):
    if dist.get_rank() == 0:
        random.shuffle(files)
    return files[dist.get_rank() :: dist.get_world_size()]


def only_if_asked(files, mix=False):
    if mix:
        random.shuffle(files)
    return files


def not_asked(files):
    return only_if_asked(files, mix=False)[dist.get_rank() :: dist.get_world_size()]


def another_list(files, names):
    random.shuffle(names)
    return files[dist.get_rank() :: dist.get_world_size()], names


def batches(order, size):
    order = np.random.permutation(order)
    return [order[start : start + size] for start in range(0, len(order), size)]


class Negatives:
    """Random partners for samples whose order stays."""

    def __init__(self, rows):
        self.rows = rows
        self.partners = random.sample(rows, 100)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], random.choice(self.partners)


def of_negatives(rows):
    data = Negatives(rows)
    return DataLoader(data, sampler=DistributedSampler(data))
