"""Layers that are put in place by a name: methods of modules, their dict of modules, a part that a method hands out."""

import torch
from torch import nn
from torch.nn import functional


class LowRank(nn.Module):
    def __init__(self, base, rank):
        super().__init__()
        self.base = base
        self.down = nn.Linear(base.in_features, rank, bias=False)
        self.up = nn.Linear(rank, base.out_features, bias=False)

    def forward(self, x):
        return self.base(x) + self.up(self.down(x))


def inject(model, rank=4):
    for name, child in list(model.named_modules()):
        if isinstance(child, nn.Linear):
            parent = model.get_submodule(name.rpartition(".")[0])
            parent._modules[name.rpartition(".")[2]] = LowRank(child, rank)  # expect: TL709
    return model


def step(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def by_the_dict(model, loader, rate):
    groups = [{"params": model.parameters(), "lr": rate}]
    optimizer = torch.optim.AdamW(groups)
    model = inject(model)
    step(model, optimizer, loader)


def by_a_method(model, loader, classes):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.add_module("head", nn.Linear(512, classes))  # expect: TL709
    step(model, optimizer, loader)


def by_a_path(model, loader, classes):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.set_submodule("encoder.head", nn.Linear(512, classes))  # expect: TL709
    step(model, optimizer, loader)


def of_a_part(model, loader, channels):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    block = model.get_submodule("layer4.0")
    block.conv1 = nn.Conv2d(channels, 64, 3)  # expect: TL709
    step(model, optimizer, loader)


def in_time(model, loader, classes):
    model.add_module("head", nn.Linear(512, classes))
    model.set_submodule("encoder.norm", nn.LayerNorm(512))
    model.get_submodule("layer4.0").conv1 = nn.Conv2d(3, 64, 3)
    optimizer = torch.optim.SGD(inject(model).parameters(), lr=0.1)
    step(model, optimizer, loader)


def told(model, loader, classes, optimizers):
    optimizer = optimizers.of(model)
    head = nn.Linear(512, classes)
    model.add_module("head", head)
    step(model, optimizer, loader)


def without_weights(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.add_module("dropout", nn.Dropout(0.1))
    model._modules["act"] = nn.ReLU()
    step(model, optimizer, loader)
