"""A loader that never ends has no length to count rounds by: nothing is said, and nothing fails."""

import torch.distributed as dist
from torch.utils.data import DataLoader, Sampler


class Endless(Sampler):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        while True:
            for number in range(dist.get_rank(), self.count, dist.get_world_size()):
                yield number


def fit(model, data, optimizer):
    loader = DataLoader(data, batch_size=8, sampler=Endless(len(data)))
    batches = iter(loader)
    for _ in range(0, len(loader)):
        loss = model(next(batches))
        dist.all_reduce(loss)
        optimizer.step()
