"""Losses of an evaluation pass, by a criterion that is handed in; nothing turns the gradients off."""

import torch
from torch import nn


def evaluate(net, batches, criterion):
    net.eval()
    total, seen = 0.0, 0
    for inputs, labels in batches:
        total += criterion(net(inputs), labels)  # expect: TL302
        seen += len(labels)
    return total / seen


def evaluate_in_two_lines(net, batches, loss_fn):
    net.eval()
    total = 0.0
    for inputs, labels in batches:
        loss = loss_fn(net(inputs), labels)
        total += loss * len(labels)  # expect: TL302
    return total


def evaluate_without(net, batches, criterion):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for inputs, labels in batches:
            total += criterion(net(inputs), labels)
    return total


def evaluate_by_number(net, batches, criterion):
    net.eval()
    total = 0.0
    for inputs, labels in batches:
        total += criterion(net(inputs), labels).item()
    return total


def evaluate_by_a_measure(net, batches, criterion):
    net.eval()
    total = 0.0
    for inputs, labels in batches:
        total += criterion(net(inputs), labels)
    return total


def evaluate_scores(net, batches, score):
    net.eval()
    total = 0.0
    for inputs, labels in batches:
        total += score(net(inputs), labels)
    return total


def hits(output, labels):
    return (output.argmax(1) == labels).sum().item()


def main(net, optimizer, batches, others):
    criterion = nn.CrossEntropyLoss()
    for inputs, labels in batches:
        loss = criterion(net(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(evaluate(net, others, criterion), evaluate_in_two_lines(net, others, criterion))
    print(evaluate_without(net, others, criterion), evaluate_by_number(net, others, criterion))
    print(evaluate_by_a_measure(net, others, hits), evaluate_scores(net, others, hits))
