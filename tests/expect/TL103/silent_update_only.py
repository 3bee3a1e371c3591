"""Every rank runs every pass; only the update is left out, or the job ends."""

import math
import sys

import torch
from torch.nn.parallel import DistributedDataParallel


def skip_update(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        if torch.isfinite(loss):
            optimizer.step()


def poison(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        if torch.isnan(loss):
            loss = torch.nan_to_num(loss) * 0.0
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def end(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        value = loss.item()
        if not math.isfinite(value):
            print("loss is", value)
            sys.exit(1)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def fail(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        assert not torch.isnan(loss), "diverged"
        if loss.item() > 1e6:
            raise ArithmeticError(loss)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def scaled(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    scaler = torch.amp.GradScaler("cuda")
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if torch.isfinite(norm):
            scaler.step(optimizer)
            optimizer.zero_grad()
        scaler.update()
