"""Logarithms of a softmax or a sigmoid: taken directly, of a part, of the rest, of something else."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def direct(x):
    return torch.log(F.softmax(x, dim=1))  # expect: TL411


def by_methods(x):
    return x.softmax(dim=-1).log()  # expect: TL411


def by_position(x):
    return torch.log(torch.softmax(x, -1))  # expect: TL411


def with_a_name(x):
    p = F.softmax(x, dim=1)
    return torch.log(p)  # expect: TL411


def with_a_setting(x, axis):
    p = F.softmax(x, dim=axis)
    return torch.log(p)  # expect: TL411


def of_a_computed_value(net, x):
    p = F.softmax(net(x), dim=1)
    return torch.log(p)  # expect: TL411


def of_a_sigmoid(x):
    return torch.log(torch.sigmoid(x))  # expect: TL411


def of_a_sigmoid_by_methods(x):
    return x.sigmoid().log()  # expect: TL411


def of_the_rest(x):
    return torch.log(1 - torch.sigmoid(x))  # expect: TL411


def of_the_rest_of_a_softmax(x):
    return torch.log(1 - F.softmax(x, dim=1))


def of_two_less_a_sigmoid(x):
    return torch.log(2 - torch.sigmoid(x))


def of_a_sigmoid_less_one(x):
    return torch.log(torch.sigmoid(x) - 1)


def with_a_bit_added(x):
    return torch.log(F.softmax(x, dim=1) + 1e-8)  # expect: TL411


def with_a_clamp(x):
    return torch.log(F.softmax(x, dim=1).clamp(min=1e-8))  # expect: TL411


def picked(x, index):
    return torch.log(F.softmax(x, dim=1).gather(1, index))  # expect: TL411


def entropy(x):
    p = F.softmax(x, dim=1)
    return -(p * torch.log(p + 1e-8)).sum()


def entropy_the_other_way_round(x):
    p = F.softmax(x, dim=1)
    return -(torch.log(p + 1e-8) * p).sum()


def unguarded_entropy(x):
    p = F.softmax(x, dim=1)
    return -(p * torch.log(p)).sum()  # expect: TL411


def crossed(x, y):
    p = F.softmax(x, dim=1)
    return -(y * torch.log(p + 1e-8)).sum()  # expect: TL411


@torch.no_grad()
def measured_with_a_bit(x, y):
    return -(y * torch.log(F.softmax(x, dim=1) + 1e-8)).sum()


@torch.no_grad()
def measured(x, y):
    return -(y * torch.log(F.softmax(x, dim=1))).sum()  # expect: TL411


def either(x, several):
    p = F.softmax(x, dim=1) if several else torch.sigmoid(x)
    return torch.log(p)


def mixed(x, y):
    return torch.log(0.5 * F.softmax(x, dim=1) + 0.5 * F.softmax(y, dim=1))


def of_a_layer(x):
    return torch.log(nn.Softmax(dim=1)(x))  # expect: TL411


def in_a_helper(x):
    return F.softmax(x, dim=1)


def of_a_helper(x):
    return torch.log(in_a_helper(x))


def noted(x, writer):
    writer.log(F.softmax(x, dim=1), 3)
