"""Exponentials divided by their sum, and what keeps them from being too large."""

import torch
import torch.nn.functional as F


def plain(x):
    return torch.exp(x) / torch.exp(x).sum(dim=-1, keepdim=True)  # expect: TL412


def with_a_name(x):
    raised = x.exp()
    return raised / raised.sum(dim=-1, keepdim=True)  # expect: TL412


def with_the_dimension_put_back(x):
    raised = x.exp()
    return raised / raised.sum(dim=-1).unsqueeze(-1)  # expect: TL412


def over_everything(x):
    raised = x.exp()
    return raised / raised.sum()  # expect: TL412


def by_a_function(x):
    raised = torch.exp(x)
    return raised / torch.sum(raised, dim=1, keepdim=True)  # expect: TL412


def of_another_sum(x, y):
    return torch.exp(x) / torch.exp(y).sum(dim=-1, keepdim=True)


def of_something_else(x, y):
    raised = x.exp()
    return y / raised.sum(dim=-1, keepdim=True)


def times_the_sum(x):
    raised = x.exp()
    return raised * raised.sum(dim=-1, keepdim=True)


def by_the_mean(x):
    raised = x.exp()
    return raised / raised.mean(dim=-1, keepdim=True)


def with_a_bit_added(x):
    raised = x.exp()
    return raised / (raised.sum(dim=-1, keepdim=True) + 1e-9)


def without_the_largest(x):
    raised = torch.exp(x - x.max(dim=-1, keepdim=True).values)
    return raised / raised.sum(dim=-1, keepdim=True)


def of_distances(x):
    raised = torch.exp(-2 * x)
    return raised / raised.sum(dim=-1, keepdim=True)


def of_twice(x):
    raised = torch.exp(2 * x)
    return raised / raised.sum(dim=-1, keepdim=True)  # expect: TL412


def of_logarithms(log_weights):
    raised = torch.exp(log_weights)
    return raised / raised.sum(dim=-1, keepdim=True)


def of_logits(logits):
    raised = torch.exp(logits)
    return raised / raised.sum(dim=-1, keepdim=True)  # expect: TL412


def over_an_unknown_dimension(x, dim):
    raised = x.exp()
    return raised / raised.sum(dim=dim, keepdim=True)  # expect: TL412


def of_sigmoids(x):
    raised = x.sigmoid()
    return raised / raised.sum(dim=-1, keepdim=True)


def by_the_library(x):
    return F.softmax(x, dim=-1)
