"""Nothing to set: one epoch, no shuffling, a fresh order by other means."""

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def train_batch(model, optimizer, x, y):
    optimizer.zero_grad()
    cross_entropy(model(x), y).backward()
    optimizer.step()


def single_pass(dataset, model, optimizer):
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset))
    for x, y in loader:
        train_batch(model, optimizer, x, y)


def one_epoch_only(dataset, model, optimizer):
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset))
    for epoch in range(1):
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def in_order(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    for epoch in range(epochs):
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def in_order_by_position(dataset, model, optimizer, epochs, world, rank):
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset, world, rank, False))
    for epoch in range(epochs):
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def fresh_sampler(dataset, model, optimizer, epochs, seed):
    for epoch in range(epochs):
        sampler = DistributedSampler(dataset, seed=seed + epoch)
        loader = DataLoader(dataset, batch_size=8, sampler=sampler)
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def new_seed(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    for epoch in range(epochs):
        sampler.seed = 1000 + epoch
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def epoch_attribute(dataset, model, optimizer, epochs):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    for epoch in range(epochs):
        sampler.epoch = epoch
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def one_pass_per_dataset(datasets, model, optimizer):
    for dataset in datasets:
        loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset))
        for x, y in loader:
            train_batch(model, optimizer, x, y)


def trained_and_evaluated(train_set, eval_set, model, optimizer, epochs):
    train_sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=8, sampler=train_sampler)
    eval_loader = DataLoader(eval_set, batch_size=8, sampler=DistributedSampler(eval_set, shuffle=False))
    for epoch in range(epochs):
        train_sampler.set_epoch(epoch)
        model.train()
        for x, y in train_loader:
            train_batch(model, optimizer, x, y)
        model.eval()
        with torch.no_grad():
            right = sum((model(x).argmax(1) == y).sum() for x, y in eval_loader)
        print(epoch, right)


def not_distributed(dataset, model, optimizer, epochs):
    loader = DataLoader(dataset, batch_size=8, shuffle=True)
    for epoch in range(epochs):
        for x, y in loader:
            train_batch(model, optimizer, x, y)
