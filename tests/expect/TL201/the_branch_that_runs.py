"""A parameter, or what an object was constructed with, decides whether there is a DistributedSampler."""

from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def batches_of(dataset, batch_size, replicas=None):
    if replicas is not None:
        return DataLoader(dataset, batch_size=batch_size, num_workers=4, sampler=DistributedSampler(dataset, replicas))
    return DataLoader(dataset, batch_size=batch_size, num_workers=4, shuffle=True)


class Data:
    def __init__(self, dataset, replicas=None, distributed=False):
        self.dataset = dataset
        self.distributed = distributed
        if replicas is None:
            self.train = DataLoader(dataset, batch_size=16, num_workers=4, shuffle=True)
        else:
            self.train = DataLoader(dataset, batch_size=16, num_workers=4, sampler=DistributedSampler(dataset, replicas))

    @property
    def batches(self):
        if not self.distributed:
            return DataLoader(self.dataset, batch_size=16, num_workers=4, shuffle=True)
        return DataLoader(self.dataset, batch_size=16, num_workers=4, sampler=DistributedSampler(self.dataset))


def train_batch(model, optimizer, x, y):
    optimizer.zero_grad()
    cross_entropy(model(x), y).backward()
    optimizer.step()


def returned_with_replicas(dataset, model, optimizer, epochs):
    loader = batches_of(dataset, 16, 4)
    for epoch in range(epochs):  # expect: TL201
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def returned_without(dataset, model, optimizer, epochs):
    loader = batches_of(dataset, 16)
    for epoch in range(epochs):
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def kept_with_replicas(dataset, model, optimizer, epochs):
    data = Data(dataset, replicas=4)
    for epoch in range(epochs):  # expect: TL201
        for x, y in data.train:
            train_batch(model, optimizer, x, y)


def kept_without(dataset, model, optimizer, epochs):
    data = Data(dataset)
    for epoch in range(epochs):
        for x, y in data.train:
            train_batch(model, optimizer, x, y)


def made_by_a_property(dataset, model, optimizer, epochs):
    data = Data(dataset, distributed=True)
    for epoch in range(epochs):  # expect: TL201
        for x, y in data.batches:
            train_batch(model, optimizer, x, y)


def made_by_a_property_without(dataset, model, optimizer, epochs):
    data = Data(dataset)
    for epoch in range(epochs):
        for x, y in data.batches:
            train_batch(model, optimizer, x, y)
