"""A model that is compiled once, anew for each option, and after each reset."""

import torch
from torch import nn
from torch._dynamo.testing import CompileCounter


def kept(rounds):
    counter, model = CompileCounter(), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):
        torch.compile(model, backend=counter)(torch.ones(2, 4)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    return counter.frame_count


def reset(rounds):
    counter, model = CompileCounter(), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    fast = torch.compile(model, backend=counter)
    for _ in range(rounds):
        fast(torch.ones(2, 4)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        torch.compiler.reset()  # expect: TL564
    return counter.frame_count


def fresh(rounds):
    counter, model = CompileCounter(), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):
        fast = torch.compile(model, backend=lambda graph, inputs: counter(graph, inputs))  # expect: TL564
        fast(torch.ones(2, 4)).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    return counter.frame_count
