"""The methods of a step are called in a loop, from a tuple of them."""

import torch
from torch import nn


class Pipeline:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.steps = (self.clear, self.forward, self.backward, self.update)

    def clear(self, ctx):
        self.opt.zero_grad()

    def forward(self, ctx):
        ctx["loss"] = self.model(ctx["x"]).mean()

    def backward(self, ctx):
        ctx["loss"].backward()

    def update(self, ctx):
        self.opt.step()

    def run(self, loader):
        for x in loader:
            ctx = {"x": x}
            for step in self.steps:
                step(ctx)


def main(loader):
    Pipeline(nn.Linear(4, 1), 1e-3).run(loader)
