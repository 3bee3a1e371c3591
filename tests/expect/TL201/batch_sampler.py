"""The DistributedSampler sits inside a batch sampler."""

from torch.nn.functional import cross_entropy
from torch.utils.data import BatchSampler, DataLoader
from torch.utils.data.distributed import DistributedSampler


def train_batch(model, optimizer, x, y):
    optimizer.zero_grad()
    cross_entropy(model(x), y).backward()
    optimizer.step()


def forgotten(dataset, model, optimizer, epochs):
    batches = BatchSampler(DistributedSampler(dataset), batch_size=16, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=batches, num_workers=4)
    for epoch in range(epochs):  # expect: TL201
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def told_by_name(dataset, model, optimizer, epochs):
    order = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_sampler=BatchSampler(order, 16, drop_last=True), num_workers=4)
    for epoch in range(epochs):
        order.set_epoch(epoch)
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def told_through_the_loader(dataset, model, optimizer, epochs):
    batches = BatchSampler(DistributedSampler(dataset), batch_size=16, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=batches, num_workers=4)
    for epoch in range(epochs):
        loader.batch_sampler.sampler.set_epoch(epoch)
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def told_through_the_batches(dataset, model, optimizer, epochs):
    batches = BatchSampler(DistributedSampler(dataset), batch_size=16, drop_last=True)
    loader = DataLoader(dataset, batch_sampler=batches, num_workers=4)
    for epoch in range(epochs):
        batches.sampler.set_epoch(epoch)
        for x, y in loader:
            train_batch(model, optimizer, x, y)
