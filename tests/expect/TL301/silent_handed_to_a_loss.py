"""Outputs without a graph, lists that are emptied or bounded, and what is no loss by its name alone."""

from collections import deque
from dataclasses import dataclass, field
from functools import partial

import torch


def detached(net, optimizer, batches, criterion):
    kept, guesses, rows = [], [], []
    for step, (inputs, labels) in enumerate(batches):
        output = net(inputs)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append(output.detach())
        guesses.append(output.argmax(1))
        rows.append(dict(step=step, loss=loss.item()))


def frozen(trunk, head, optimizer, batches, criterion):
    features = []
    for inputs, labels in batches:
        with torch.no_grad():
            feature = trunk(inputs)
        loss = criterion(head(feature), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        features.append(feature)


def inputs_of_a_model_that_computes_its_loss(model, optimizer, batches):
    seen = []
    for inputs, labels in batches:
        loss = model.loss(inputs, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen.append(labels)


def closure(net, optimizer, inputs, labels, rounds):
    for _ in range(rounds):
        history = []

        def evaluate():
            optimizer.zero_grad()
            loss = ((net(inputs) - labels) ** 2).mean()
            loss.backward()
            history.append(loss)
            return loss

        optimizer.step(evaluate)


def emptied(net, optimizer, inputs, labels, rounds):
    history = []

    def evaluate():
        optimizer.zero_grad()
        loss = ((net(inputs) - labels) ** 2).mean()
        loss.backward()
        history.append(loss)
        return loss

    for number in range(rounds):
        optimizer.step(evaluate)
        print(number, sum(history))
        history.clear()


def numbers_of_a_closure(net, optimizer, inputs, labels, rounds):
    history = []

    def evaluate():
        optimizer.zero_grad()
        loss = ((net(inputs) - labels) ** 2).mean()
        loss.backward()
        history.append(loss.item())
        return loss

    for _ in range(rounds):
        optimizer.step(evaluate)


def all_of_a_list(parameters, compute, optimizer, parts):
    losses = []
    for part in parts:
        losses.append(compute(parameters, part))
    optimizer.zero_grad()
    torch.stack(losses).sum().backward()
    optimizer.step()


@dataclass
class Recent:
    losses: deque = field(default_factory=partial(deque, maxlen=20))
    last: deque = field(default_factory=lambda: deque(maxlen=20))


def recent(net, optimizer, batches, criterion):
    log = Recent()
    for inputs, labels in batches:
        loss = criterion(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.losses.append(loss)
        log.last.append(loss)


class Objective:
    def __init__(self):
        self.seen = 0

    def loss(self, output, labels):
        self.seen += 1
        return ((output - labels) ** 2).mean()


def judged_later(net, batches, loss_fn):
    net.eval()
    total = 0
    with torch.no_grad():
        for inputs, labels in batches:
            total += loss_fn(net(inputs), labels)
    return total
