"""Samplers that divide nothing, and accelerators that do not divide."""

from accelerate import Accelerator
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, WeightedRandomSampler
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, dataset, weights):
        self.accelerator = Accelerator()
        self.loader = DataLoader(dataset, batch_size=4, sampler=RandomSampler(dataset))
        self.weighted = DataLoader(dataset, sampler=WeightedRandomSampler(weights, len(weights)))
        self.batched = DataLoader(dataset, batch_sampler=BatchSampler(RandomSampler(dataset), 4, True))
        self.loader, self.weighted, self.batched = self.accelerator.prepare(self.loader, self.weighted, self.batched)


def alone(dataset):
    accelerator = Accelerator(split_batches=True)
    sampler = DistributedSampler(dataset, num_replicas=1, rank=0)
    return Accelerator().prepare(DataLoader(dataset, sampler=sampler)), accelerator.prepare(
        DataLoader(dataset, sampler=DistributedSampler(dataset))
    )
