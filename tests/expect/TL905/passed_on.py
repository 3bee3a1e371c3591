"""The old name is kept, handed over or a default: whoever calls it does not name it."""

import functools

import torch

PRODUCTS = {"outer": torch.ger}  # expect-likely: TL905


def rotary(positions, frequencies, kind):
    angles = PRODUCTS[kind](positions, frequencies)
    return angles.cos(), angles.sin()


class Solver:
    def __init__(self, solve):
        self.solve = solve

    def run(self, matrix):
        return self.solve(matrix)


def solver():
    return Solver(torch.qr)  # expect: TL905


def powers(matrices):
    return functools.reduce(torch.chain_matmul, matrices)  # expect: TL905


def least_squares(matrix, values):
    solve = torch.linalg.lstsq if hasattr(torch.linalg, "lstsq") else torch.lstsq
    return Solver(solve).run(matrix)


def implements(function):
    return lambda handler: handler


@implements(torch.ger)
def product(matrix, handlers):
    if matrix is torch.ger:
        return None
    return {torch.ger: len(handlers)}


def is_known(function, kinds):
    return isinstance(function, type(torch.ger)) and function in kinds


def whitened(size):
    return lambda values, factor=torch.cholesky: values @ factor(values.T @ values / size)  # expect: TL905
