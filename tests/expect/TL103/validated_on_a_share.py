"""Each rank validates on its share, and stops, or waits for the others, by what it found there."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def train(model, batches, criterion, optimizer):
    model.train()
    for inputs, labels in batches:
        loss = criterion(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def judged(model, batches, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for inputs, labels in batches:
            total += criterion(model(inputs), labels).item()
    return total / len(batches)


class Patience:
    """Told a number after each epoch."""

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


class Best:
    def __init__(self):
        self.number, self.worse = None, 0

    def is_over(self, number):
        if self.number is None or number > self.number:
            self.number, self.worse = number, 0
            return False
        self.worse += 1
        return self.worse > 3


def stopped_by_an_object(model, data, held_out, optimizer):
    model = DistributedDataParallel(model)
    batches = DataLoader(data, sampler=DistributedSampler(data))
    shares = DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False))
    patience = Patience(5)
    for epoch in range(100):
        batches.sampler.set_epoch(epoch)
        train(model, batches, nn.CrossEntropyLoss(), optimizer)  # expect: TL103
        patience(judged(model, shares, nn.CrossEntropyLoss()))
        if patience.over:
            break


def stopped_by_an_answer(model, data, held_out, optimizer):
    model = DistributedDataParallel(model)
    batches = DataLoader(data, sampler=DistributedSampler(data))
    shares = DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False))
    best = Best()
    for epoch in range(100):
        batches.sampler.set_epoch(epoch)
        train(model, batches, nn.CrossEntropyLoss(), optimizer)  # expect: TL103
        if best.is_over(judged(model, shares, nn.CrossEntropyLoss())):
            break


def by_what_is_right(model, data, held_out, optimizer):
    model = DistributedDataParallel(model)
    batches = DataLoader(data, sampler=DistributedSampler(data))
    shares = DataLoader(held_out, sampler=DistributedSampler(held_out, shuffle=False))
    for epoch in range(100):
        batches.sampler.set_epoch(epoch)
        for inputs, labels in batches:
            F.cross_entropy(model(inputs), labels).backward()  # expect: TL103
            optimizer.step()
            optimizer.zero_grad()
        right = 0
        for inputs, labels in shares:
            right += (model(inputs).argmax(1) == labels).sum().item()
        if right / len(held_out) > 0.99:
            break


def prepared(model, data, held_out, optimizer):
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
                total += model(**batch).loss.item()
        if total < best:
            best = total
            accelerator.wait_for_everyone()  # expect: TL103
            accelerator.save_state("best")
