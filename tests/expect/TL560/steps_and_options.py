"""Steps that are compiled with options handed on, and tensors that only what is done with them shows."""

import time
import torch
import torch.nn as nn


class Net(nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # expect: TL560
            x = -x
        return x


OPTS = {"mode": "default", "fullgraph": False}
m = torch.compile(Net(), **OPTS)


def train_step(model, opt, x, y):
    opt.zero_grad()
    out = model(x)
    loss = ((out - y) ** 2).mean()
    loss.backward()
    opt.step()
    return loss.item()  # expect: TL560


def main(model, opt, loader):
    options = dict(mode="max-autotune")
    step = torch.compile(train_step, **options)
    for x, y in loader:
        step(model, opt, x, y)


@torch.compile
def update(model, opt, x):
    opt.zero_grad()
    loss = model(x).mean()
    loss.backward()
    print(loss)  # expect: TL560
    opt.step()


class Penalty(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(2, 2)

    def forward(self, x):
        y = self.l(x)
        g = torch.autograd.grad(y.sum(), x, create_graph=True)[0]
        if g.norm() > 1:  # expect: TL560
            y = y / 2
        return y


p = Penalty()
p.compile()


def reduce_all(gen):
    tot = 0
    for g in gen:
        tot = tot + g
    return tot


@torch.compile(dynamic=True)
def f(xs):
    t = reduce_all(x * 2 for x in xs)
    if t.max() > 3:  # expect: TL560
        return t
    return -t


class Trainer:
    def __init__(self, model):
        self.model = torch.compile(model)
        self.step_fn = torch.compile(self._step)

    def _step(self, x):
        out = self.model(x)
        v = out.max().item()  # expect: TL560
        return out * v

    def run(self, xs):
        for x in xs:
            self.step_fn(x)


def build(cfg):
    net = Net2()
    if cfg.compile:
        net = torch.compile(net)
    return net


class Net2(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return x


class Block(nn.Module):
    def forward(self, x):
        t = time.time()  # expect: TL560
        idx = torch.nonzero(x)  # expect: TL560
        return x[idx]
