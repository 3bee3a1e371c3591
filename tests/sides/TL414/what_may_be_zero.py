"""Roots and logarithms of what may be 0, by the way it is computed and kept from it."""

import math

import torch
import torch.nn.functional as F


def of_a_square(x):
    return torch.sqrt(x**2)  # expect: TL414


def of_a_square_by_method(x):
    return x.square().sqrt()  # expect: TL414


def of_an_even_power(x):
    return torch.sqrt(torch.pow(x, 4))  # expect: TL414


def of_an_even_power_by_method(x):
    return torch.sqrt(x.pow(exponent=2))  # expect: TL414


def of_an_odd_power(x):
    return torch.sqrt(x**3)


def of_a_negative_power(x):
    return torch.sqrt(x**-2)


def of_an_unknown_power(x, n):
    return torch.sqrt(x**n)


def of_a_power_of_a_square(x):
    return torch.sqrt((x**2) ** 3)  # expect: TL414


def of_a_product_with_itself(x):
    return torch.sqrt(x * x)  # expect: TL414


def of_a_product(x, y):
    return torch.sqrt(x * y)


def of_a_product_of_squares(x, y):
    return torch.sqrt(x**2 * y**2)  # expect: TL414


def of_a_product_with_a_number(x):
    return torch.sqrt(3 * x**2)  # expect: TL414


def of_a_product_with_a_negative_number(x):
    return torch.sqrt(-3 * x**2)


def of_a_product_with_something(x, weight):
    return torch.sqrt(weight * x**2)


def of_a_quotient(x):
    return torch.sqrt(x**2 / 3)  # expect: TL414


def of_a_sum_of_squares(x, y):
    return torch.sqrt(x**2 + y**2)  # expect: TL414


def of_a_square_and_something(x, y):
    return torch.sqrt(x**2 + y)


def of_a_square_and_one(x):
    return torch.sqrt(x**2 + 1)


def of_a_square_and_its_rest(t):
    return torch.sqrt(t**2 + (1 - t) ** 2)


def of_one_minus_a_square(x):
    return torch.sqrt(1 - x**2)  # expect: TL414


def of_one_minus_a_square_by_function(x):
    return torch.sqrt(1 - torch.square(x))  # expect: TL414


def of_one_minus_something(x):
    return torch.sqrt(1 - x)


def of_something_minus_a_square(x, y):
    return torch.sqrt(y - x**2)


def of_a_relu(x):
    return torch.log(F.relu(x))  # expect: TL414


def of_an_absolute_value(x):
    return torch.log(x.abs())  # expect: TL414


def of_a_mean_of_squares(x, y):
    return torch.sqrt(((x - y) ** 2).mean())  # expect: TL414


def of_a_sum_of_absolute_values(x):
    return x.abs().sum(dim=-1).log()  # expect: TL414


def of_a_softplus(x):
    return torch.log(F.softplus(x))


def of_a_clamp(x):
    return torch.sqrt((x**2).clamp(min=1e-8))


def of_a_clamped_base(x):
    return torch.sqrt(x.clamp(min=1e-4) ** 2)


def with_a_small_number(x):
    return torch.sqrt((x**2).sum() + 1e-12)


def with_an_epsilon(x, eps):
    return torch.sqrt((x**2).sum() + eps)


def compared(x):
    total = (x**2).sum()
    if total > 0:
        return total.sqrt()
    return total


def something_else_compared(x, y):
    total = (x**2).sum()
    if y > 0:
        return total.sqrt()  # expect: TL414
    return total


@torch.no_grad()
def only_measured(x, y):
    return torch.sqrt(((x - y) ** 2).mean())


def of_a_plain_number(x):
    return math.sqrt(x**2)


class Logger:
    def step(self, x):
        self.log("error", (x**2).mean())
        return x
