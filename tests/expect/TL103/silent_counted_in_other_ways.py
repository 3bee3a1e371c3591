"""Correct: the loop counts, whatever is put around the count, and so the number of a round is the same on all ranks."""

import sys

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from tqdm import tqdm


def with_a_bar_on_one_rank(network, data, optimizer, rounds, often):
    model = DistributedDataParallel(network)
    batches = iter(DataLoader(data))
    numbers = range(1, rounds + 1)
    if dist.get_rank() == 0 and sys.stdout.isatty():
        numbers = tqdm(numbers, total=rounds)
    for number in numbers:
        loss = train_on(model, next(batches), number)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if number % often == 0 or number == rounds:
            dist.all_reduce(torch.ones(1))


def train_on(model, batch, number):
    return model(batch, number).mean()


def with_a_bar(network, data, optimizer, rounds, often):
    model = DistributedDataParallel(network)
    batches = iter(DataLoader(data))
    for number in tqdm(range(rounds), disable=dist.get_rank() != 0):
        loss = train_on(model, next(batches), number)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if number % often == 0:
            dist.all_reduce(torch.ones(1))


def over_numbers_that_were_handed_over(network, batches, optimizer, numbers, often):
    model = DistributedDataParallel(network)
    for number in numbers:
        loss = train_on(model, next(batches), number)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if number % often == 0:
            dist.all_reduce(torch.ones(1))


def main(network, data, optimizer):
    over_numbers_that_were_handed_over(network, iter(DataLoader(data)), optimizer, range(100), 10)
