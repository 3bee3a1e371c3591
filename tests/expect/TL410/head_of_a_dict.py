"""Heads in a ModuleDict, one of them with a softmax."""

import torch.nn.functional as F
from torch import nn


class Heads(nn.Module):
    def __init__(self, width, tasks):
        super().__init__()
        head = nn.Sequential(nn.Linear(width, 3), nn.Softmax(dim=1))  # expect: TL410
        self.parts = nn.ModuleDict({"trunk": nn.Linear(width, width), "head": head})
        self.heads = nn.ModuleDict({task: nn.Sequential(nn.Linear(width, number)) for task, number in tasks.items()})

    def forward(self, x):
        return self.parts["head"](self.parts["trunk"](x))

    def logits(self, x, task):
        return self.heads[task](self.parts["trunk"](x))


def train(loader, optimizer):
    model = Heads(16, {"colour": 3, "shape": 5})
    for images, colours, shapes in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), colours)
        loss = loss + F.cross_entropy(model.logits(images, "shape"), shapes)
        loss.backward()
        optimizer.step()
