"""The exponent, or the exponentials, are made by another function."""

import torch


def scaled(scores, temperature):
    return scores / temperature


def below_zero(scores):
    return scores - scores.amax(dim=-1, keepdim=True)


def exponentials(scores):
    return scores.exp()


def overflows(scores, values, temperature):
    weights = torch.exp(scaled(scores, temperature))
    weights = weights / weights.sum(dim=-1, keepdim=True)  # expect: TL412
    return torch.matmul(weights, values)


def overflows_elsewhere(scores, values):
    weights = exponentials(scores)
    return torch.matmul(weights / weights.sum(dim=-1, keepdim=True), values)  # expect: TL412


def is_bounded(scores, values):
    weights = torch.exp(below_zero(scores))
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return torch.matmul(weights, values)


def is_bounded_elsewhere(scores, values):
    weights = exponentials(below_zero(scores))
    return torch.matmul(weights / weights.sum(dim=-1, keepdim=True), values)
