"""A loop is left by what ranks computed together, or by what is the same on all of them."""

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


def average(net):
    for parameter in net.parameters():
        dist.all_reduce(parameter.grad.data, op=dist.ReduceOp.SUM)


def average_of_a_group(net, group):
    for parameter in net.parameters():
        dist.all_reduce(parameter.grad.data, group=group)


def reduced_by_hand(net, loader, optimizer, criterion):
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        average(net)
        optimizer.step()
        shown = loss.detach()
        dist.all_reduce(shown)
        if shown.item() < 0.01:
            break
        dist.barrier()


def tensor_parallel(net, loader, optimizer, criterion, group):
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        average_of_a_group(net, group)
        optimizer.step()
        if loss.item() < 0.01:
            break
        dist.barrier()


def gathered(net, loader, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    for _ in range(epochs):
        losses = []
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        mean = torch.tensor(np.mean(losses))
        dist.all_reduce(mean)
        if mean < 0.01:
            break
        dist.barrier()


def counted(net, loader, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    for _ in range(epochs):
        losses = []
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if len(losses) > 100:
            break
        dist.barrier()


def exchanged(net, loader, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    for _ in range(epochs):
        losses = []
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        everyone = [None] * dist.get_world_size()
        dist.all_gather_object(everyone, losses)
        if np.mean(everyone) < 0.01:
            break
        dist.barrier()


@torch.no_grad()
def evaluate(model, loader, criterion):
    total = torch.zeros(1)
    for x, y in loader:
        total += criterion(model(x), y)
    dist.all_reduce(total)
    return total.item() / len(loader)


@torch.no_grad()
def evaluate_and_tell(model, loader, criterion):
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return mean_over_ranks(total / len(loader))


def mean_over_ranks(value):
    tensor = torch.tensor(value)
    dist.all_reduce(tensor)
    return tensor.item() / dist.get_world_size()


def early_stopping(net, train_set, val_set, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    loader = DataLoader(train_set, sampler=DistributedSampler(train_set, shuffle=False))
    val_loader = DataLoader(val_set, sampler=DistributedSampler(val_set, shuffle=False))
    best, wait = float("inf"), 0
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        val = evaluate(model, val_loader, criterion) + evaluate_and_tell(model, val_loader, criterion)
        if val < best:
            best, wait = val, 0
        else:
            wait += 1
        if wait >= 5:
            break
        dist.barrier()


def validated_on_all_of_it(net, train_set, val_set, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    loader = DataLoader(train_set, sampler=DistributedSampler(train_set, shuffle=False))
    val_loader = DataLoader(val_set, shuffle=False)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        if sum(criterion(net(x), y).item() for x, y in val_loader) < 0.01:
            break
        dist.barrier()
