"""Rounds that compile what they make, each from the beginning."""

import copy

import torch
from torch import nn


def compare(shapes, config, convert, time_of):
    seconds = []
    for rows, columns in shapes:
        plain = nn.Linear(rows, columns).cuda()
        x = torch.randn(rows, rows, device="cuda")
        torch._dynamo.reset()
        fast = torch.compile(copy.deepcopy(plain))
        fast(x).sum().backward()
        seconds.append(time_of(fast, x))
        torch._dynamo.reset()
        fast = torch.compile(convert(plain, config))
        fast(x).sum().backward()
        seconds.append(time_of(fast, x))
    return seconds


def folds(make_model, loaders, make_optimizer):
    for loader in loaders:
        torch.compiler.reset()
        model = torch.compile(make_model())
        optimizer = make_optimizer(model)
        for batch in loader:
            model(batch).mean().backward()
            optimizer.step()
            optimizer.zero_grad()
