"""A sigmoid for a binary cross entropy of probabilities: where each stands, and what can be rewritten."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def within(x, y, net):
    F.binary_cross_entropy(torch.sigmoid(net(x)), y).backward()  # expect: TL409


def named(x, y, net):
    logits = net(x)
    F.binary_cross_entropy(torch.sigmoid(logits), y).backward()  # expect: TL409


def scores_named(x, y, net):
    logits = net(x)
    scores = torch.sigmoid(logits)
    F.binary_cross_entropy(scores, y).backward()  # expect: TL409


def scores_only_named(x, y, net):
    scores = torch.sigmoid(net(x))
    F.binary_cross_entropy(scores, y).backward()  # expect: TL409


def reshaped(x, y, net):
    logits = net(x)
    scores = torch.sigmoid(logits)
    F.binary_cross_entropy(scores.view(-1), y).backward()  # expect: TL409


def by_keyword(x, y, net):
    F.binary_cross_entropy(input=torch.sigmoid(net(x)), target=y).backward()  # expect: TL409


def sigmoid_by_keyword(x, y, net):
    F.binary_cross_entropy(torch.sigmoid(input=net(x)), y).backward()  # expect: TL409


def method(x, y, net):
    F.binary_cross_entropy(net(x).sigmoid(), y).backward()  # expect: TL409


def an_object(x, y, net):
    criterion = nn.BCELoss()
    criterion(net(x).sigmoid(), y).backward()  # expect: TL409


def softened(x, y, net):
    F.binary_cross_entropy(net(x).sigmoid() * 0.9, y).backward()


def in_a_helper(logits):
    return torch.sigmoid(logits)


def elsewhere(x, y, net):
    F.binary_cross_entropy(in_a_helper(net(x)), y).backward()


def under_autocast(x, y, net):
    with torch.no_grad():
        print(F.binary_cross_entropy(torch.sigmoid(net(x)), y))


def logits_changed_meanwhile(x, y, net):
    logits = net(x)
    scores = torch.sigmoid(logits)
    logits = logits * 0
    print(logits)
    F.binary_cross_entropy(scores, y).backward()  # expect: TL409
