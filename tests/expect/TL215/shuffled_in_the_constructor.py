"""A dataset shuffles the list that it keeps, by a seed of the rank; another shuffles one that it does not hand out."""

import random

import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Files(Dataset):
    def __init__(self, files):
        self.files = list(files)
        random.shuffle(self.files)  # expect: TL215

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return self.files[index]


class Names(Dataset):
    def __init__(self, files):
        self.files = list(files)
        self.names = list(files)
        random.shuffle(self.names)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        return self.files[index]


def main(files, model):
    dist.init_process_group("nccl")
    random.seed(dist.get_rank())
    for data in (Files(files), Names(files)):
        for batch in DataLoader(data, sampler=DistributedSampler(data)):
            model(batch).sum().backward()


def first(files, model):
    dist.init_process_group("nccl")
    random.seed(dist.get_rank())
    data = Files(files)
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        model(batch).sum().backward()


def second(files, model):
    dist.init_process_group("nccl")
    random.seed(dist.get_rank())
    data = Names(files)
    for batch in DataLoader(data, sampler=DistributedSampler(data)):
        model(batch).sum().backward()
