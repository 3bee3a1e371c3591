"""Outputs that a loss was computed from, by a criterion that nobody in sight made; lists that the closure of an optimizer fills."""

from collections import defaultdict
from dataclasses import dataclass, field

import torch


def outputs(net, optimizer, batches, criterion):
    kept = []
    for inputs, labels in batches:
        output = net(inputs)
        loss = criterion(output, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append(output)  # expect: TL301
    return torch.cat(kept)


def squares(net, optimizer, batches):
    kept = []
    for inputs, labels in batches:
        output = net(inputs)
        loss = ((output - labels) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept.append(output)  # expect: TL301
        kept.append(loss**0.5)  # expect: TL301
    return kept


def closure(net, optimizer, inputs, labels, rounds):
    history = []

    def evaluate():
        optimizer.zero_grad()
        loss = ((net(inputs) - labels) ** 2).mean()
        loss.backward()
        history.append(loss)  # expect: TL301
        return loss

    for _ in range(rounds):
        optimizer.step(evaluate)
    return history


def last_of_a_list(parameters, compute, optimizer, rounds):
    losses = []
    while len(losses) < rounds:
        optimizer.zero_grad()
        losses.append(compute(parameters))  # expect: TL301
        losses[-1].backward()
        optimizer.step()
    return losses


@dataclass
class Log:
    seen: int = 0
    rows: list = field(default_factory=list)
    by_name: dict = field(default_factory=lambda: defaultdict(list))


def in_fields(net, optimizer, batches, criterion):
    log = Log()
    for inputs, labels in batches:
        loss = criterion(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        log.seen += len(inputs)
        log.rows.append(loss)  # expect: TL301


class Table:
    def __init__(self):
        self.rows = []

    def log(self, numbers, step):
        self.rows.append(dict(numbers, step=step))


def in_dicts(net, optimizer, batches, criterion):
    table, rows = Table(), []
    for step, (inputs, labels) in enumerate(batches):
        loss = criterion(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rows.append(dict(step=step, loss=loss))  # expect: TL301
        table.log({"loss": loss}, step)  # expect: TL301
