"""Datasets that know which part is theirs."""

import torch.distributed as dist
from torch.utils.data import Dataset, IterableDataset


class Part(Dataset):
    def __init__(self, rows, rank, world_size):
        self.rows = [row for number, row in enumerate(rows) if number % world_size == rank]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


class Pages(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows) // dist.get_world_size()

    def __getitem__(self, index):
        return self.rows[index * dist.get_world_size() + dist.get_rank()]


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


class Stream(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        yield from self.rows[dist.get_rank() :: dist.get_world_size()]
