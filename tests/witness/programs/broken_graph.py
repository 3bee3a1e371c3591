"""A model whose graph breaks four times, and one that is compiled anew at each call."""

import torch
from torch import nn
from torch._dynamo.testing import CompileCounter


class Broken(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        y = self.layer(x)
        print(y.shape)  # expect: TL560
        y = y * y.abs().max().item()  # expect: TL560
        if torch.isnan(y).any():  # expect: TL560
            raise ValueError("not a number")
        return y[y > 0].sum()  # expect: TL560


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.calls = 0

    def forward(self, x):
        self.calls += 1  # expect: TL560
        return self.layer(x)


def broken(calls):
    torch.manual_seed(0)
    counter = CompileCounter()
    model = torch.compile(Broken(), backend=counter)
    for _ in range(calls):
        model(torch.ones(2, 4))
    return counter.frame_count


def counting(calls):
    counter = CompileCounter()
    model = torch.compile(Counting(), backend=counter)
    for _ in range(calls):
        model(torch.ones(2, 4))
    return counter.frame_count
