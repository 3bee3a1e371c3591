"""Samplers, trainers and functions that split, and others that go by their names; tests that keep them from running."""

import random
from random import sample

import numpy as np
import torch.distributed as dist
from accelerate import Accelerator
from samplers_of_ours import DistributedSampler as OurSampler
from torch.utils.data import DataLoader, Dataset, DistributedSampler
from transformers import Seq2SeqTrainer

SEVERAL, ALWAYS = False, True


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def by_a_sampler_of_the_library(rows):
    random.shuffle(rows)  # expect: TL215
    return DistributedSampler(Rows(rows))


def by_a_sampler_of_ours(rows):
    random.shuffle(rows)
    return OurSampler(Rows(rows))


def by_a_sampler_if_there_are_several(rows):
    random.shuffle(rows)
    if SEVERAL:
        return DistributedSampler(Rows(rows))
    return None


def by_a_sampler_always(rows):
    random.shuffle(rows)  # expect: TL215
    if ALWAYS:
        return DistributedSampler(Rows(rows))
    return None


def array_split(files, count):
    return [list(files) for _ in range(count)]


def all_of_them_for_each(files):
    random.shuffle(files)
    return array_split(files, dist.get_world_size())[dist.get_rank()]


def a_part_for_each(files):
    random.shuffle(files)  # expect: TL215
    return np.array_split(files, dist.get_world_size())[dist.get_rank()]


def shard(files, number):
    return files, number


def sharded_by_nobody(files):
    random.shuffle(files)
    return shard(files, dist.get_rank())


def trained(model, rows):
    random.shuffle(rows)  # expect: TL215
    return Seq2SeqTrainer(model, train_dataset=Rows(rows)).train()


def Trainer(model, train_dataset):
    return model, train_dataset


def trained_by_a_function(model, rows):
    random.shuffle(rows)
    return Trainer(model, train_dataset=Rows(rows))


def prepared(rows):
    random.shuffle(rows)  # expect: TL215
    loader = DataLoader(Rows(rows), 8)
    return Accelerator().prepare(loader)


def prepared_with_options(rows, options):
    random.shuffle(rows)
    loader = DataLoader(batch_size=8, **options)
    return Accelerator().prepare(loader), rows


def the_first_ones(files, count):
    order = sample(files, len(files))
    return order[:count]


def every_second(files):
    order = sample(files, len(files))
    return order[::2]


def from_the_rank_on(files):
    order = sample(files, len(files))  # expect: TL215
    return order[dist.get_rank() * 10 : dist.get_rank() * 10 + 10]
