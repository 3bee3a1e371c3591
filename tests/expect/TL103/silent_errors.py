"""Errors that end the job, that all ranks meet, or that change nothing of what is communicated."""

import json
import time
import unittest

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def reported(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    try:
        for inputs, targets in loader:
            criterion(model(inputs), targets).backward()
            optimizer.step()
            optimizer.zero_grad()
    except Exception as error:
        print("failed:", error)
        raise
    finally:
        dist.destroy_process_group()


def interrupted(network, loader, criterion, optimizer, save):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        try:
            criterion(model(inputs), targets).backward()
        except KeyboardInterrupt:
            save(model)
            break
        optimizer.step()
        optimizer.zero_grad()


def logged(network, loader, criterion, optimizer, writer):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        try:
            writer.write(loss.item())
        except OSError:
            print("no log")


def retried(network, loader, criterion):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        try:
            loss = criterion(model(inputs), targets)
        except TypeError:
            loss = criterion(model(inputs.float()), targets)
        loss.backward()


def restarted(network, loader, criterion, steps):
    model = DistributedDataParallel(network)
    batches = iter(loader)
    for _ in range(steps):
        try:
            inputs, targets = next(batches)
        except StopIteration:
            batches = iter(loader)
            inputs, targets = next(batches)
        criterion(model(inputs), targets).backward()


def read_at_last(path, model, loader, criterion, optimizer):
    """Who cannot read the file tries again; all come to the barrier, or an error ends the job."""
    for _ in range(10):
        try:
            with open(path) as file:
                told = json.loads(file.read())
        except json.JSONDecodeError:
            time.sleep(0.01)
            continue
        else:
            break
    else:
        raise RuntimeError(path)
    dist.barrier()
    return told


class Agent:
    """Who runs out of memory runs the pass again, for nothing: the others have run theirs."""

    def __init__(self, network, criterion, scaling):
        self.model = DistributedDataParallel(network)
        self.criterion, self.scaling = criterion, scaling
        self.kept = None

    def loss(self, batch):
        return self.criterion(self.model(batch["inputs"]), batch["targets"])

    def go_back(self, loss):
        if self.scaling is not None:
            self.scaling.backward(loss)
        else:
            loss.backward()

    def catch_up(self):
        (0 * self.loss(self.kept)).backward()

    def step(self, batch):
        self.kept = self.kept or batch
        try:
            loss = self.loss(batch)
            self.go_back(loss)
            missed = False
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            missed = True
        if missed:
            self.catch_up()


class Steps(unittest.TestCase):
    def test_steps(self):
        model = DistributedDataParallel(torch.nn.Linear(2, 2))
        for batch in (torch.ones(2), torch.zeros(2)):
            try:
                model(batch).sum().backward()
                dist.barrier()
            except Exception as error:
                self.fail(f"no step: {error}")


def read_by_one(path):
    box = [None]
    if dist.get_rank() == 0:
        try:
            box[0] = torch.load(path)
        except FileNotFoundError:
            print("nothing there")
    dist.broadcast_object_list(box, src=0)
    return box[0]


def read_by_all(path):
    try:
        found = torch.load(path)
    except FileNotFoundError:
        return None
    dist.barrier()
    return found
