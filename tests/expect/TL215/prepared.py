"""accelerate splits what each rank shuffled; a seed was drawn for each rank."""

import random

import torch.distributed as dist
from accelerate import Accelerator
from torch.utils.data import DataLoader, DistributedSampler, random_split


class Rows:
    def __init__(self, path):
        self.rows = open(path).readlines()
        random.shuffle(self.rows)  # expect: TL215

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def main(net, optimizer, path):
    accelerator = Accelerator()
    known, held_out = random_split(Rows(path), [0.9, 0.1])  # expect: TL215
    feed, checks = DataLoader(known, batch_size=8, shuffle=True), DataLoader(held_out, batch_size=8)
    return accelerator.prepare(net, optimizer, feed, checks)


def whole(net, path):
    accelerator = Accelerator()
    return accelerator.prepare(net, DataLoader(Rows(path), batch_size=8, shuffle=True))


def numbered(data, worker_seeds):
    mine = worker_seeds[dist.get_rank()]
    return feed(data, int(mine))


def feed(data, seed):
    return DataLoader(data, sampler=DistributedSampler(data, seed=seed, drop_last=True))  # expect: TL215
