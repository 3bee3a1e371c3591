"""The seed and the epoch are the same on all ranks, though the sampler asks which rank it is on the way."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler


class Split(Sampler):
    def __init__(self, dataset, ranks=None, rank=None, seed=0):
        self.dataset = dataset
        self.ranks = dist.get_world_size() if ranks is None else ranks
        self.rank = dist.get_rank() if rank is None else rank
        self.epoch = 0
        self.seed = seed

    def __iter__(self):
        generator = torch.Generator()
        generator.manual_seed(self.seed + self.epoch)
        order = torch.randperm(len(self.dataset), generator=generator)
        return iter(order[self.rank :: self.ranks].tolist())

    def set_epoch(self, epoch):
        self.epoch = epoch


def start(path, rank):
    return torch.load(path)["epoch"] if rank == 0 else 0


def train(dataset, path, epochs, step):
    sampler = Split(dataset)
    loader = DataLoader(dataset, sampler=sampler)
    begin = [start(path, dist.get_rank())]
    dist.broadcast_object_list(begin)
    for epoch in range(begin[0], epochs):
        sampler.set_epoch(epoch)
        for batch in loader:
            step(batch)
