"""The container is emptied, holds a few things only, or dies with one optimizer step."""

from collections import deque

import torch


def one_optimizer_step(model, batches, optimizer, criterion):
    losses = []
    for x, y in batches:
        loss = criterion(model(x), y) / len(batches)
        loss.backward()
        losses.append(loss)
    optimizer.step()
    return sum(losses).item()


def window(model, loader, optimizer, criterion):
    recent = deque(maxlen=20)
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        recent.append(loss)
        print(sum(recent).item())


def emptied(model, loader, optimizer, criterion):
    losses, shown, kept = [], [], []
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss)
        shown.append(loss)
        kept.append(loss)
        kept = kept[-10:]
        if step % 10 == 9:
            print(sum(losses).item())
            losses = []
            shown.clear()


def same_key_again(model, loader, optimizer, criterion):
    logs, fresh = {}, []
    for x, y in loader:
        fresh = []
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        logs["loss"] = loss
        fresh.append(loss)
    return logs


class Trainer:
    def reset(self):
        self.losses = []

    def step(self, batch):
        loss = self.model(batch)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)

    def fit(self, loader):
        for batch in loader:
            self.reset()
            self.step(batch)
            self.zero_grad()
            print(self.losses[0].item())


class Windowed:
    def __init__(self):
        self.losses = deque(maxlen=100)

    def step(self, batch):
        loss = self.model(batch)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)
        self.log.append(self.losses[0].item())


def queue_of_another_library(model, loader, optimizer, writer):
    for batch in loader:
        loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        writer.add(loss)


def gradients_of_several_batches(model, batches, criterion):
    outputs = []
    for x, y in batches:
        loss = criterion(model(x), y)
        loss.backward()
        outputs.append(loss)
    return outputs, [parameter.grad for parameter in model.parameters()]


def a_handful_of_steps(model, optimizer, criterion, x, y):
    losses = []
    total = 0
    for _ in range(2):
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss)
        total += loss
    assert losses[0] > losses[1]
    return total


def taken_out_by_a_slice(model, loader, criterion, optimizer, report):
    losses, parts = [], []
    for step, (inputs, targets) in enumerate(loader):
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss)
        parts.append(loss * 2)
        if step % 100 == 0:
            report(torch.stack(losses).mean().item(), torch.stack(parts).mean().item())
            del losses[:], parts[:]


def the_oldest_one_goes(model, loader, criterion, optimizer):
    last = []
    for inputs, targets in loader:
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        last.append(loss)
        if len(last) > 10:
            del last[0]
    return last
