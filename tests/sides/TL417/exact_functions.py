"""Expressions for which there is an exact function, and their neighbours."""

import math

import torch
import torch.nn.functional as F


def one_more(x):
    return torch.log(1 + x)  # expect: TL417


def one_more_on_the_right(x):
    return torch.log(x + 1)  # expect: TL417


def one_more_by_method(x):
    return (1 + x).log()  # expect: TL417


def two_more(x):
    return torch.log(2 + x)


def one_less(x):
    return torch.log(x - 1)


def one_times(x):
    return torch.log(1 * x)


def numbers():
    return torch.log(1 + torch.tensor(3.0))  # expect: TL417


def softplus(x):
    return torch.log(1 + torch.exp(x))  # expect: TL417


def softplus_on_the_right(x):
    return torch.log(x.exp() + 1)  # expect: TL417


def softplus_with_a_name(x):
    raised = torch.exp(x)
    return torch.log(1 + raised)  # expect: TL417


def one_more_absolute(x):
    return torch.log(1 + torch.abs(x))  # expect: TL417


def exponential_less_one(x):
    return torch.exp(x) - 1  # expect: TL417


def exponential_less_one_by_method(x):
    return x.exp() - 1  # expect: TL417


def exponential_less_two(x):
    return torch.exp(x) - 2


def one_less_exponential(x):
    return 1 - torch.exp(x)


def exponential_and_one(x):
    return torch.exp(x) + 1


def exponential_less_something(x, y):
    return torch.exp(x) - y


def summed(x):
    return torch.log(torch.exp(x).sum(dim=-1))  # expect: TL417


def summed_by_function(x):
    return torch.log(torch.sum(torch.exp(x), dim=-1))  # expect: TL417


def summed_by_position(x):
    return x.exp().sum(-1).log()  # expect: TL417


def summed_over_all(x):
    return torch.log(torch.exp(x).sum())


def summed_of_something(x):
    return torch.log(x.sum(dim=-1))


def summed_squares(x):
    return torch.log((x.sigmoid() * x).sum(dim=-1))


def meaned(x):
    return torch.log(torch.exp(x).mean(dim=-1))


def shifted(x):
    return torch.log(torch.exp(x - x.amax(-1, keepdim=True)).sum(dim=-1))


def shifted_and_scaled(x, t):
    return torch.log(torch.exp((x - x.amax(-1, keepdim=True)) / t).sum(dim=-1))


def negative(x):
    return torch.log(torch.exp(-1 * x).sum(dim=-1))


def shifted_rows(x):
    return torch.log(torch.exp((x - x.amax(-1, keepdim=True))[0]).sum(dim=-1))


def shifted_by_choice(x, stable):
    return torch.log(torch.exp(x - x.amax(-1, keepdim=True) if stable else x).sum(dim=-1))


def summed_with_names(x):
    raised = torch.exp(x)
    total = raised.sum(dim=1)
    return torch.log(total)  # expect: TL417


def plain_numbers(rate):
    return math.log(1 + rate), math.exp(rate) - 1


def used_elsewhere(x):
    return F.softplus(x)
