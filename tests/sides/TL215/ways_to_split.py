"""Shuffled by each rank for itself; then a part is taken, or is not."""

import itertools
import random

import numpy as np
import torch
import torch.distributed as dist
from accelerate import Accelerator
from datasets import load_dataset
from datasets.distributed import split_dataset_by_node
from torch.utils.data import DataLoader, Dataset, DistributedSampler, RandomSampler
from transformers import Trainer


def every_nth(files):
    random.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :: dist.get_world_size()]


def the_same_for_all(files, start, step):
    random.shuffle(files)
    return files[start::step]


def the_first(files):
    random.shuffle(files)
    return files[: dist.get_rank()]


def all_but_the_first(files):
    random.shuffle(files)  # expect: TL215
    return files[dist.get_rank() :]


def by_the_stride_of_the_rank(files):
    random.shuffle(files)  # expect: TL215
    return files[:: 1 + dist.get_rank()]


def one_for_each(files):
    random.shuffle(files)
    return files[dist.get_rank()]


def array_split(files):
    random.shuffle(files)  # expect: TL215
    return np.array_split(files, dist.get_world_size())[dist.get_rank()]


def array_split_for_all(files, fold):
    random.shuffle(files)
    return np.array_split(files, dist.get_world_size())[fold]


def cut_by_someone(files, cut):
    random.shuffle(files)
    return cut(files, dist.get_world_size())[dist.get_rank()]


def chunked(count):
    order = torch.randperm(count)  # expect: TL215
    return torch.chunk(order, dist.get_world_size())[dist.get_rank()]


def sliced(files):
    random.shuffle(files)  # expect: TL215
    return itertools.islice(files, dist.get_rank(), None, dist.get_world_size())


def sliced_for_all(files, start):
    random.shuffle(files)
    return itertools.islice(files, start, None, 4)


def by_node():
    rows = load_dataset("imdb", split="train").shuffle()  # expect: TL215
    return split_dataset_by_node(rows, rank=dist.get_rank(), world_size=dist.get_world_size())


def by_a_node_for_all(node):
    rows = load_dataset("imdb", split="train").shuffle()
    return split_dataset_by_node(rows, rank=node, world_size=4)


def by_shard():
    rows = load_dataset("imdb", split="train").shuffle()  # expect: TL215
    return rows.shard(num_shards=dist.get_world_size(), index=dist.get_rank())


def by_a_shard_for_all(number):
    rows = load_dataset("imdb", split="train").shuffle()
    return rows.shard(num_shards=4, index=number)


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def by_a_sampler(rows):
    random.shuffle(rows)  # expect: TL215
    data = Rows(rows)
    return DataLoader(data, sampler=DistributedSampler(data))


def by_a_sampler_by_name(rows):
    random.shuffle(rows)  # expect: TL215
    data = Rows(rows)
    return DataLoader(data, sampler=DistributedSampler(dataset=data, shuffle=False))


def by_another_sampler(rows):
    random.shuffle(rows)
    data = Rows(rows)
    return DataLoader(data, sampler=RandomSampler(data))


def by_the_numbers_of_a_sampler(rows, options):
    random.shuffle(rows)
    return DistributedSampler(**options), Rows(rows)


def prepared(rows):
    random.shuffle(rows)  # expect: TL215
    return Accelerator().prepare(DataLoader(Rows(rows)))


def not_prepared(rows):
    random.shuffle(rows)
    return Accelerator().gather(DataLoader(Rows(rows)))


def prepared_by_someone(rows, cook):
    random.shuffle(rows)
    return cook.prepare(DataLoader(Rows(rows)))


def trained(model, rows):
    random.shuffle(rows)  # expect: TL215
    return Trainer(model, train_dataset=Rows(rows)).train()


def evaluated(model, rows):
    random.shuffle(rows)  # expect: TL215
    return Trainer(model, eval_dataset=Rows(rows)).evaluate()


def collated(model, rows):
    random.shuffle(rows)
    return Trainer(model, data_collator=Rows(rows)).train()


class OwnTrainer(Trainer):
    pass


class Trainee:
    def __init__(self, model, train_dataset):
        self.model, self.data = model, train_dataset


def trained_by_a_class_of_its_own(model, rows):
    random.shuffle(rows)  # expect: TL215
    return OwnTrainer(model, train_dataset=Rows(rows)).train()


def trained_by_something_else(model, rows):
    random.shuffle(rows)
    return Trainee(model, train_dataset=Rows(rows))


def trained_with_options(model, rows):
    random.shuffle(rows)  # expect: TL215
    options = {"train_dataset": Rows(rows), "eval_dataset": None}
    return Trainer(model, **options).train()


def trained_with_options_by_call(model, rows):
    random.shuffle(rows)  # expect: TL215
    options = dict(train_dataset=Rows(rows), tokenizer=None)
    return Trainer(model, **options).train()


def trained_with_other_options(model, rows, name):
    random.shuffle(rows)
    options = {name: Rows(rows), "processing_class": None}
    return Trainer(model, **options).train()


def trained_with_unknown_options(model, rows, options):
    random.shuffle(rows)
    return Trainer(model, **options, data_collator=Rows(rows)).train()
