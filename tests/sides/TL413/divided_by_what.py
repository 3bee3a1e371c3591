"""Something divided by a norm, a deviation or two sizes: whose it is, and who looks at it."""

import torch
import torch.nn.functional as F


def by_its_norm(x):
    return x / x.norm(dim=-1, keepdim=True)  # expect: TL413


def by_its_norm_function(x):
    return x / torch.linalg.norm(x, dim=-1, keepdim=True)  # expect: TL413


def by_its_norm_reshaped(x):
    return x / x.norm(dim=-1).unsqueeze(-1)  # expect: TL413


def by_another_norm(x, y):
    return x / y.norm(dim=-1, keepdim=True)


def by_its_norm_and_a_bit(x):
    return x / (x.norm(dim=-1, keepdim=True) + 1e-6)


def by_its_norm_at_least(x):
    return x / x.norm(dim=-1, keepdim=True).clamp_min(1e-6)


def times_its_norm(x):
    return x * x.norm(dim=-1, keepdim=True)


def norm_divided(x):
    return x.norm(dim=-1) / 3


def by_its_deviation(x):
    return (x - x.mean()) / x.std()  # expect: TL413


def by_its_deviation_function(x):
    return (x - torch.mean(x)) / torch.std(x)  # expect: TL413


def without_taking_the_mean_away(x):
    return x / x.std()


def with_the_mean_added(x):
    return (x + x.mean()) / x.std()


def with_the_median_taken_away(x):
    return (x - x.median()) / x.std()


def with_another_mean(x, y):
    return (x - y.mean()) / x.std()


def of_another_deviation(x, y):
    return (x - x.mean()) / y.std()


def by_another_after_its_mean(x, y):
    return (y - x.mean()) / x.std()


def less_a_number(x):
    return (x - 3) / x.std()


def tested(x):
    length = x.norm()
    if length == 0:
        return x
    return x / length


def tested_again(x):
    if x.norm() == 0:
        return x
    return x / x.norm()


def something_else_tested(x, y):
    if y.norm() == 0:
        return y
    return x / x.norm()  # expect: TL413


def compared_in_an_expression(x):
    length = x.norm(dim=-1, keepdim=True)
    return torch.where(length > 0, x / length, x)


def filled(x):
    length = x.norm(dim=-1, keepdim=True)
    length[length < 1e-6] = 1
    return x / length


@torch.no_grad()
def only_predicts(x):
    return x / x.norm(dim=-1, keepdim=True)


def by_two_sizes(x, y):
    return (x - y).abs() / (x.abs() + y.abs())  # expect: TL413


def by_two_sizes_and_a_bit(x, y):
    return (x - y).abs() / (x.abs() + y.abs() + 1e-6)


def by_one_size_and_something(x, y):
    return (x - y).abs() / (x.abs() + y)


def by_one_size_less_another(x, y):
    return (x - y).abs() / (x.abs() - y.abs())


@torch.no_grad()
def two_sizes_measured(x, y):
    return (x - y).abs() / (x.abs() + y.abs())


def by_the_library(x):
    return F.normalize(x, dim=-1)
