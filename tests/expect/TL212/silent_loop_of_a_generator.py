"""A generator passes the batches on: what is done with them is for the loop that gets them to say."""

import torch
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def log_every(iterable, meters):
    for batch in iterable:
        yield batch
        print(meters)


def reduced(value):
    with torch.no_grad():
        total = value.clone()
        dist.all_reduce(total)
    return total


def train(model, optimizer, loader, meters):
    for images, labels in log_every(loader, meters):
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        meters["loss"] = reduced(loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader, meters):
    model.eval()
    for images, labels in log_every(loader, meters):
        meters["right"] = reduced((model(images).argmax(1) == labels).sum())


def main(model, optimizer, train_set, test_set):
    sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=32, sampler=sampler)
    test_loader = DataLoader(test_set, batch_size=32)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        train(model, optimizer, train_loader, {})
        evaluate(model, test_loader, {})
