"""A loop is left by what a rank computed of its own batches, while the others go on to what they wait in."""

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler


# Gradients that are averaged by hand: each rank has a loss of its own, too.
def average(net):
    for parameter in net.parameters():
        dist.all_reduce(parameter.grad.data, op=dist.ReduceOp.SUM)


def averaged_here(net, loader, optimizer, criterion):
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        if loss.item() > 100:
            break
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)  # expect: TL103
        optimizer.step()


def averaged_together(net, loader, optimizer, criterion):
    for x, y in loader:
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        if torch.isnan(loss):
            continue
        grads = [parameter.grad for parameter in net.parameters()]
        dist.all_reduce_coalesced(grads)  # expect: TL103
        optimizer.step()


def averaged_in_a_helper(net, loader, optimizer, criterion, epochs):
    for _ in range(epochs):
        total = 0.0
        for x, y in loader:
            loss = criterion(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            average(net)
            optimizer.step()
            total += loss.item()
        if total / len(loader) < 0.01:
            break
        dist.barrier()  # expect: TL103


# What was put into a list, and what is computed of all of it.
def mean_of_a_list(net, loader, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    for _ in range(epochs):
        losses = []
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        if np.mean(losses) < 0.01:
            break
        dist.barrier()  # expect: TL103


def worst_of_a_list(net, loader, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    losses = []
    for _ in range(epochs):
        for x, y in loader:
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
        if max(losses) < 0.01:
            break
        dist.barrier()  # expect: TL103


# The loss of a validation on a share of the data, by the function that the training losses are computed with.
def train_epoch(model, loader, optimizer, criterion):
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader, criterion):
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total / len(loader)


def early_stopping(net, train_set, val_set, optimizer, criterion, epochs):
    model = DistributedDataParallel(net)
    loader = DataLoader(train_set, sampler=DistributedSampler(train_set, shuffle=False))
    val_loader = DataLoader(val_set, sampler=DistributedSampler(val_set, shuffle=False))
    best, wait = float("inf"), 0
    for _ in range(epochs):
        train_epoch(model, loader, optimizer, criterion)
        val = evaluate(model, val_loader, criterion)
        if val < best:
            best, wait = val, 0
        else:
            wait += 1
        if wait >= 5:
            break
        dist.barrier()  # expect: TL103
