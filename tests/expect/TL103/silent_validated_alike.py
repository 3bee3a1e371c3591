"""All ranks validate on all of the data, or add up what they found, before one of them stops."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(model, batches, criterion, optimizer):
    for inputs, labels in batches:
        loss = criterion(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def judged(model, batches, criterion):
    total = 0.0
    with torch.no_grad():
        for inputs, labels in batches:
            total += criterion(model(inputs), labels).item()
    return total / len(batches)


class Patience:
    def __init__(self, rounds):
        self.rounds = rounds
        self.best = None
        self.worse = 0
        self.over = False

    def __call__(self, number):
        if self.best is None or number < self.best:
            self.best, self.worse = number, 0
        else:
            self.worse += 1
            if self.worse >= self.rounds:
                self.over = True


def on_all_of_it(model, data, held_out, optimizer):
    model = DistributedDataParallel(model)
    batches = DataLoader(data, sampler=DistributedSampler(data))
    everything = DataLoader(held_out)
    patience = Patience(3)
    for epoch in range(100):
        batches.sampler.set_epoch(epoch)
        train(model, batches, nn.CrossEntropyLoss(), optimizer)
        patience(judged(model, everything, nn.CrossEntropyLoss()))
        if patience.over:
            break


def added_up(model, data, held_out, optimizer):
    model = DistributedDataParallel(model)
    batches = DataLoader(data, sampler=DistributedSampler(data))
    shares = DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False))
    patience = Patience(3)
    for epoch in range(100):
        batches.sampler.set_epoch(epoch)
        train(model, batches, nn.CrossEntropyLoss(), optimizer)
        number = torch.tensor(judged(model, shares, nn.CrossEntropyLoss()))
        dist.all_reduce(number)
        patience(number.item())
        if patience.over:
            break


def what_is_right_is_added_up(model, data, held_out, optimizer):
    model = DistributedDataParallel(model)
    batches = DataLoader(data, sampler=DistributedSampler(data))
    shares = DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False))
    for epoch in range(100):
        batches.sampler.set_epoch(epoch)
        for inputs, labels in batches:
            F.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
            optimizer.zero_grad()
        right = torch.zeros(1)
        for inputs, labels in shares:
            right += (model(inputs).argmax(1) == labels).sum()
        dist.all_reduce(right)
        if right.item() / len(held_out) > 0.99:
            break


def only_said(model, data, held_out, optimizer):
    """Who is best only writes a file of its own."""
    model = DistributedDataParallel(model)
    batches = DataLoader(data, sampler=DistributedSampler(data))
    shares = DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False))
    best = 1e9
    for epoch in range(100):
        batches.sampler.set_epoch(epoch)
        train(model, batches, nn.CrossEntropyLoss(), optimizer)
        number = judged(model, shares, nn.CrossEntropyLoss())
        if number < best:
            best = number
            print(f"rank {dist.get_rank()}: {best}")


def gathered(model, data, held_out, optimizer):
    accelerator = Accelerator()
    batches, shares = DataLoader(data, shuffle=True), DataLoader(held_out)
    model, optimizer, batches, shares = accelerator.prepare(model, optimizer, batches, shares)
    best = 1e9
    for _ in range(10):
        for batch in batches:
            accelerator.backward(model(**batch).loss)
            optimizer.step()
            optimizer.zero_grad()
        total = 0
        for batch in shares:
            with torch.no_grad():
                total += accelerator.gather_for_metrics(model(**batch).loss).mean().item()
        if total < best:
            best = total
            accelerator.wait_for_everyone()
            accelerator.save_state("best")
