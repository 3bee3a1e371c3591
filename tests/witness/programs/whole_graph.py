"""The models of ``broken_graph.py``, each as one graph that is compiled once."""

import torch
from torch import nn
from torch._dynamo.testing import CompileCounter


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        y = self.layer(x)
        y = y * y.abs().max()
        assert torch.isfinite(y).all(), "not a number"
        if not torch.compiler.is_compiling():
            print(y.shape)
        return torch.where(y > 0, y, 0.0).sum()


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        self.calls += 1
        return self.layer(x)


def broken(calls):
    torch.manual_seed(0)
    counter = CompileCounter()
    model = torch.compile(Whole(), backend=counter)
    for _ in range(calls):
        model(torch.ones(2, 4))
    return counter.frame_count


def counting(calls):
    counter = CompileCounter()
    model = torch.compile(Counting(), backend=counter)
    for _ in range(calls):
        model(torch.ones(2, 4))
    return counter.frame_count
